"""A seeded simulation of many servers on one database: `make scale`."""
