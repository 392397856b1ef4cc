"""A server for each module, with nothing left out of its log."""

from tests.rest.conftest import house, http, nobody, person

__all__ = ["house", "http", "nobody", "person"]
