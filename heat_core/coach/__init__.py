"""Help for drivers, by what their own seat sees: advice on an open decision, and analysis after a race."""
