"""The settings of a room, as rows: the host's to change, for all others to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from heat_core.options.option_table import (
    ADVICE,
    AWAY_DRIVER,
    EVENTS,
    FILL,
    GARAGE,
    GRACE_TIME,
    LAPS,
    LEVEL,
    PLACES,
    RACE_TRACKS,
    RULES,
    SEASON,
    SPONSORSHIPS,
    TRACK,
    TURN_TIME,
    WEATHER,
)
from heat_core.options.settings import changes_text
from heat_core.options.table_options import RoomOptions, settings_of, shown_rules
from heat_core.track_facts import TrackFacts
from heat_tui.flow.first_race import FirstRace
from heat_tui.screens.option_rows import choices, option_row, show_rows
from heat_tui.screens.rows import ActionRow, ChoiceRow
from heat_tui.screens.track_picture import TrackPicture

SEASON_ROWS: Final = (SEASON, *RACE_TRACKS, EVENTS, SPONSORSHIPS)
"""Those that stand below the places."""

_RULE_ROWS: Final = (TRACK, LAPS, PLACES, FILL, LEVEL, RULES, GARAGE, WEATHER)
_TIME_ROWS: Final = (TURN_TIME, GRACE_TIME, AWAY_DRIVER, ADVICE)


class OptionColumn(Vertical):
    """The column of a room's settings."""

    def __init__(self, facts: Mapping[str, TrackFacts], names: Mapping[str, str]) -> None:
        """Make the rows.

        Args:
            facts: Of the tracks that can be drawn at once, by identifier.
            names: Of the tracks to choose from.
        """
        super().__init__(id="right")
        self._facts = facts
        self._names = names

    def compose(self) -> ComposeResult:
        """A heading, a row for each option, a picture of the track."""
        options = RoomOptions()
        yield Static("Settings", classes="heading", id="settings-heading")
        for option in _RULE_ROWS:
            yield option_row(option, options, self._names)
        yield ActionRow("Rule settings ({form.rules})", id="settings")
        yield Static("", id="changes", markup=False)
        for option in _TIME_ROWS:
            yield option_row(option, options)
        yield TrackPicture(self._facts[options.track], id="map")

    def show_options(
        self,
        options: RoomOptions,
        *,
        turn_milliseconds: int,
        labels: Mapping[str, str],
        race: FirstRace | None,
        is_host: bool,
    ) -> None:
        """Show a room's options.

        Args:
            options: With the changes on their way.
            turn_milliseconds: What the turn time comes to.
            labels: Of the tracks to choose from, by identifier.
            race: The first one; None: its circuit is not known.
            is_host: Whether they can be changed here.
        """
        rows = (*SEASON_ROWS, *_RULE_ROWS, *_TIME_ROWS)
        show_rows(self.screen.query(ChoiceRow), rows, options, labels, is_locked=not is_host)
        if options.turn_milliseconds is None:
            usual = (None, f"{turn_milliseconds / 1000:g} s (default)")
            row = self.query_one(f"#{TURN_TIME.field}", ChoiceRow)
            row.set_choices([usual, *choices(TURN_TIME, options)[1:]])
        heading = "Settings (right arrow: change)" if is_host else "Settings (the host changes them)"
        self.query_one("#settings-heading", Static).update(heading)
        changes = self.query_one("#changes", Static)
        told = changes_text(shown_rules(options), settings_of(options))
        changes.update(told)
        changes.display = bool(told)
        picture = self.query_one("#map", TrackPicture)
        picture.display = race is not None
        if race is not None:
            picture.show(*race)
