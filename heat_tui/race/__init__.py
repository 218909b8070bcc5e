"""What the race screen works out before it draws: half-made choices, wording, letters of cars."""
