"""What `heat-tui doctor` finds out: what this terminal can do, what the network allows, where files are."""
