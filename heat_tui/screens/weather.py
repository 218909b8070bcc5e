"""Weather and road tokens of a race: the map with them, and beside it what each changes."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from heat_core.view.race_view import RaceView
from heat_tui.map.widget import TrackMap
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.dialogs import PageDialog
from heat_tui.theme.glyphs import spelled
from heat_tui.words.road_text import corner_marks
from heat_tui.words.weather_page import weather_page


class WeatherDialog(PageDialog):
    """The page of a race that has weather or road tokens."""

    DEFAULT_CSS = """
    WeatherDialog #box { width: 100%; max-width: 180; height: 90%; }
    WeatherDialog #columns, WeatherDialog #page { height: 100%; }
    WeatherDialog #page { width: 46; }
    """

    def __init__(self, view: RaceView, labels: RaceLabels, *, is_ascii: bool) -> None:
        """Make the dialog.

        Args:
            is_ascii: Whether signs must be plain.
        """
        lines = weather_page(labels.track, view, labels.setup)
        super().__init__("Weather and road", [spelled(line, is_ascii=is_ascii) for line in lines])
        self._track = labels.track
        self._marks = corner_marks(labels.track, view, labels.setup.rules.weather_sectors)

    def beside(self) -> Iterable[Widget]:
        """Give the circuit as this race has it, without cars."""
        yield TrackMap(self._track, zoom="whole")

    def arrive(self) -> None:
        """Put the tokens on the map."""
        track_map = self.query_one(TrackMap)
        track_map.look = self.navigator.map_look
        limits = {number: mark.limit for number, mark in enumerate(self._marks)}
        track_map.set_limits(limits, [mark.note() for mark in self._marks])
