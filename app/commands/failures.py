"""How commands end when they cannot do what they were asked to."""

import click


class SaidNo(click.ClickException):
    """The server refused."""


class NotReached(click.ClickException):
    """The server does not answer."""
