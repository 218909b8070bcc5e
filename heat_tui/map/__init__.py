"""The map of the circuit: geometry, drawing and the widget."""

from heat_tui.map.cars import CarMark
from heat_tui.map.layout import Zoom
from heat_tui.map.palette import Mode
from heat_tui.map.signs import CornerNote
from heat_tui.map.widget import TrackMap

__all__ = ["CarMark", "CornerNote", "Mode", "TrackMap", "Zoom"]
