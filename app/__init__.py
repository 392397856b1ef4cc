"""Loopback: an inbox where agents ask a person and get the reply as their tool's result."""

__version__ = "0.1.0"
