"""Puzzles: moments of a race in which one answer is clearly the best (LOOK-11). docs/puzzles.md."""
