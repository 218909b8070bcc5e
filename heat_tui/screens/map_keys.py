"""The keys of a map: zoom, scroll, follow, numbers; and what is under the cursor."""

from __future__ import annotations

from typing import Literal, TypeAlias

from textual.screen import Screen

from heat_core.view.race_view import RaceView
from heat_tui.flow.looking import spot_text
from heat_tui.map.widget import TrackMap
from heat_tui.race.presenter import RaceLabels

MapAct: TypeAlias = Literal[
    "zoom_in", "zoom_out", "cycle_zoom", "scroll", "follow", "look", "numbers", "whole"
]


def use_map(screen: Screen[None], act: MapAct, by: int, rows: int) -> None:
    """Do what a key of the map does.

    Args:
        screen: Has one map.
        by: Columns to scroll; spaces to move the cursor along the road.
        rows: To scroll.
    """
    track_map = screen.query_one(TrackMap)
    match act:
        case "zoom_in":
            track_map.zoom_in()
        case "zoom_out":
            track_map.zoom_out()
        case "cycle_zoom":
            before = track_map.zoom
            track_map.zoom_in()
            if track_map.zoom == before:  # the closest
                track_map.zoom = "whole"
        case "scroll":
            track_map.scroll_by(by, rows)
        case "follow":
            track_map.hide_cursor()
            track_map.follow = True
        case "look":
            track_map.move_cursor(by)
        case "numbers":
            track_map.show_numbers = not track_map.show_numbers
        case "whole":
            screen.toggle_class("-whole-map")


class Pointer:
    """What mouse and cursor point at on a map.

    Attributes:
        figures: What there is to say of it, "" for nothing.
    """

    def __init__(self, labels: RaceLabels) -> None:
        """Point at nothing."""
        self.figures = ""
        self._clicked = ""
        self._labels = labels

    def point(self, message: TrackMap.SpotHovered | TrackMap.SpotClicked, view: RaceView) -> str:
        """Give the figures of what mouse or cursor have come to, else of what was clicked last."""
        self.figures = self._spot_text(message, view)
        if isinstance(message, TrackMap.SpotClicked):
            self._clicked = self.figures
        self.figures = self.figures or self._clicked
        return self.figures

    def stop(self, track_map: TrackMap) -> None:
        """Point at nothing any more."""
        self._clicked = ""
        if self.figures:
            self.figures = ""
            track_map.hide_cursor()

    def _spot_text(self, message: TrackMap.SpotHovered | TrackMap.SpotClicked, view: RaceView) -> str:
        return spot_text(
            view,
            self._labels.names,
            self._labels.track,
            space=message.space,
            cars=message.cars,
            corner=message.corner,
            where=self._labels.setup.rules.weather_sectors,
        )
