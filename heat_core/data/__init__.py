"""Facts of the printed cards as Python literals."""
