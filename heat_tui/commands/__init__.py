"""The command line: shared options, and the commands that race here or at a server."""
