"""The database's history. See README.md."""
