"""Random play of this engine beside that of others, in one run: `make peers`."""
