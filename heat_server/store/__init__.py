"""What the server saves, so that a killed one starts again from there (NET-14)."""
