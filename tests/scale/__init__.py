"""How far servers that share a database go: what is measured of them, and a simulation of many."""
