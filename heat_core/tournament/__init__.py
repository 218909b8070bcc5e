"""Tournaments of drivers: which races there are, what came of them, ratings, tables and plots."""
