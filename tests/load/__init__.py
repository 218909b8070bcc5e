"""A load of scripted clients on a real server, over real TCP: `python -m tests.load --help`."""
