"""The settings of a room, as rows: the host's to change, for all others to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from heat_core.setup import MAX_CARS, MIN_CARS
from heat_core.track import TrackFacts
from heat_core.wire import messages as m
from heat_tui.room_options import changed_season, rules_of, settings_of, tell_changes, with_values
from heat_tui.screens.modules import GARAGE_CHOICES, NO_GARAGE, WEATHER_CHOICES, Garage
from heat_tui.screens.new_race import TrackPicture
from heat_tui.screens.option_changes import Change
from heat_tui.screens.rows import ActionRow, ChoiceRow
from heat_tui.screens.season_rows import is_of_season
from heat_tui.screens.table_form import LEVELS
from heat_tui.screens.table_rules import RULES

_TURN_SECONDS: Final = (15, 30, 60, 90, 120, 300, 3600)
_GRACE_SECONDS: Final = (5, 10, 20, 60, 120, 300, 3600)
_AWAY_DRIVERS: Final[list[tuple[m.AwayDriver, str]]] = [
    ("defaults", "simplest choices"),
    ("steady", "a steady bot"),
]
_PLAIN_FIELDS: Final = (
    "track",
    "laps",
    "cars",
    "legends",
    "level",
    "rules",
    "weather",
    "turn_milliseconds",
    "grace_milliseconds",
    "away_driver",
)
"""Options whose row says just their value."""


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
        options = m.RoomOptions()
        yield Static("Settings", classes="heading", id="settings-heading")
        yield ChoiceRow("Track", list(self._names.items()), options.track, id="track")
        laps: list[tuple[int | None, str]] = [(None, "as printed"), *((n, str(n)) for n in range(1, 5))]
        yield ChoiceRow("Laps", laps, options.laps, id="laps")
        yield ChoiceRow("Places", _numbers(MAX_CARS), options.cars, id="cars")
        fill = [(n, f"up to {n} Legends" if n else "nobody") for n in range(MAX_CARS)]
        yield ChoiceRow("Empty: add", fill, options.legends, id="legends")
        yield ChoiceRow("their level", [(level, level) for level in LEVELS], options.level, id="level")
        yield ChoiceRow("Rules", [(rules, rules) for rules in RULES], options.rules, id="rules")
        yield ChoiceRow("Garage", GARAGE_CHOICES, NO_GARAGE, id="garage")
        yield ChoiceRow("Weather", WEATHER_CHOICES, options.weather, id="weather")
        yield ActionRow("Single settings ({form.rules})", id="settings")
        yield Static("", id="changes", markup=False)
        yield ChoiceRow("Turn time", _time_choices(None, _TURN_SECONDS), None, id="turn_milliseconds")
        yield ChoiceRow("Wait if gone", _time_choices(None, _GRACE_SECONDS), None, id="grace_milliseconds")
        yield ChoiceRow("then drives", _AWAY_DRIVERS, options.away_driver, id="away_driver")
        yield TrackPicture(self._facts[options.track], id="map")

    def show_options(
        self,
        options: m.RoomOptions,
        *,
        turn_milliseconds: int,
        labels: Mapping[str, str],
        facts: TrackFacts | None,
        is_host: bool,
    ) -> None:
        """Show a room's options.

        Args:
            options: With the changes on their way.
            turn_milliseconds: What the turn time comes to.
            labels: Of the tracks to choose from, by identifier.
            facts: Of the track, None where they are not known.
            is_host: Whether they can be changed here.
        """
        rules = rules_of(options)
        self._row("track").set_choices(list(labels.items()))
        self._row("cars").set_choices(_numbers(rules.most_cars))
        present = None if options.turn_milliseconds is not None else turn_milliseconds
        for field, usual, known in (
            ("turn_milliseconds", _TURN_SECONDS, present),
            ("grace_milliseconds", _GRACE_SECONDS, None),
        ):
            self._row(field).set_choices(_time_choices(getattr(options, field), usual, known))
        values = {field: getattr(options, field) for field in _PLAIN_FIELDS}
        values["garage"] = (options.garage, options.expansion)
        for field, value in values.items():
            self._row(field).show(value)
            self._row(field).lock_to(not is_host)
        heading = "Settings (yours to change)" if is_host else "Settings (the host's)"
        self.query_one("#settings-heading", Static).update(heading)
        changes = self.query_one("#changes", Static)
        told = tell_changes(rules, settings_of(options))
        changes.update(told)
        changes.display = bool(told)
        picture = self.query_one("#map", TrackPicture)
        picture.display = facts is not None and options.season is None
        if facts is not None:
            picture.show(facts, options.laps)

    def _row(self, field: str) -> ChoiceRow[object]:
        return self.query_one(f"#{field}", ChoiceRow)


def change_of(row: str, value: object) -> Change:
    """Say what another value of a row does to a room's options."""
    if row == "garage":
        garage, expansion = cast(Garage, value)
        return partial(with_values, garage=garage, expansion=expansion)
    if is_of_season(row):
        return partial(_with_season, row=row, value=value)
    if row == "rules":
        return partial(with_values, rules=value, settings={})
    other: dict[str, Any] = {row: value}
    return partial(with_values, **other)


def _with_season(options: m.RoomOptions, row: str, value: object) -> m.RoomOptions:
    if options.season is None and row != "season":
        return options  # the championship that the row belonged to was refused
    return with_values(options, season=changed_season(options.season, row, value))


def _numbers(most_cars: int) -> list[tuple[int, str]]:
    return [(number, str(number)) for number in range(MIN_CARS, most_cars + 1)]


def _time_choices(
    wanted: int | None, usual: Sequence[int], present: int | None = None
) -> list[tuple[int | None, str]]:
    """List times: the server's own, usual ones, and whatever is set.

    Args:
        wanted: What is set, in milliseconds; None: nothing.
        usual: In seconds.
        present: What the server's own is, in milliseconds; None where that is not known.
    """
    own = f"{present / 1000:g} s (usual)" if present is not None else "server's usual"
    choices: list[tuple[int | None, str]] = [(None, own)]
    choices += [(seconds * 1000, _time(seconds)) for seconds in usual]
    if wanted is not None and wanted not in {value for value, _ in choices}:
        choices.append((wanted, f"{wanted / 1000:g} s"))
    return choices


def _time(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"
