"""A server and its person."""

from tests.support.house import house, person

__all__ = ["house", "person"]
