"""Races played on from what a seat sees: see `play`."""
