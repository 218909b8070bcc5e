"""What happens at one terminal, whichever face shows it: controllers, and what they offer to a face."""
