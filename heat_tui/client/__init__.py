"""A client's side of a table: local, or on a server over a link that reconnects. Knows no screens."""
