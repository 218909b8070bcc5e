"""What one, two and three real servers with one PostgreSQL can do, and what a take-over costs."""
