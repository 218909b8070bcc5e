"""A race as every face shows it: half-made choices, rows, marks and letters of cars, how cars move."""
