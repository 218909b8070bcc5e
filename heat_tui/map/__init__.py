"""The map of the circuit: geometry, drawing and the widget."""
