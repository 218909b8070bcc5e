"""The rules, one concern a file: movement, corners, symbols, Legends, piles, phases, standings."""
