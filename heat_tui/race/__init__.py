"""A race as screens and plain mode show it: half-made choices, rows, marks and letters of cars, moves."""
