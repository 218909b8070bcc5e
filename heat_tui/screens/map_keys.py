"""The keys that look about on a map: zoom, scroll, follow, numbers."""

from __future__ import annotations

from heat_tui.map.widget import TrackMap
from heat_tui.screens.base import HeatScreen


class MapScreen(HeatScreen[None]):
    """A screen with one map on it; its bindings name the actions below."""

    @property
    def track_map(self) -> TrackMap:
        """The map."""
        return self.query_one(TrackMap)

    def action_zoom(self, is_in: bool) -> None:
        """Zoom the map."""
        if is_in:
            self.track_map.zoom_in()
        else:
            self.track_map.zoom_out()

    def action_cycle_zoom(self) -> None:
        """Zoom in, from the closest zoom back to the whole track."""
        before = self.track_map.zoom
        self.track_map.zoom_in()
        if self.track_map.zoom == before:
            self.track_map.zoom = "whole"

    def action_scroll_map(self, columns: int, rows: int) -> None:
        """Scroll the map; it then follows nobody."""
        self.track_map.scroll_by(columns, rows)

    def action_follow(self) -> None:
        """Follow the active car again, and point at nothing."""
        self.track_map.hide_cursor()
        self.track_map.follow = True

    def action_look(self, spaces: int) -> None:
        """Move the map's cursor along the road; the map tells what it comes to."""
        self.track_map.move_cursor(spaces)

    def action_numbers(self) -> None:
        """Number the spaces, or not."""
        self.track_map.show_numbers = not self.track_map.show_numbers

    def action_whole_map(self) -> None:
        """Let the map cover the screen, or not."""
        self.toggle_class("-whole-map")
