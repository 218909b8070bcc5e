"""A table as a client holds it: here, or at a server over a link that mends itself. Knows no screens."""
