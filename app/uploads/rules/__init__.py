"""The rules of an upload. Pure: no I/O, and no clock but the moment handed in."""
