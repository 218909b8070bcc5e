"""The party: a server and every way in, opened by one command."""
