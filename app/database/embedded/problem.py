"""The one way the embedded Postgres fails."""


class EmbeddedPostgresError(RuntimeError):
    """The embedded Postgres cannot be used here; the message names the fix."""
