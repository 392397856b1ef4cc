"""Asks, their replies and their followers in Postgres: the only SQL about them. Statements are constants, built once."""
