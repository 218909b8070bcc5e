"""The panels of the race screen. They hold no rules: what they show comes from views and forecasts."""
