"""A server, a browser, and a project for each test."""

from tests.support.inbox import browser, house, inbox, project

__all__ = ["browser", "house", "inbox", "project"]
