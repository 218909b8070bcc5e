"""The server's memory: an embedded store that a killed server starts again from (NET-14)."""
