"""Races of one's own in a folder of a test: begun, opened by the client, found by the next start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from heat_core.options.table_options import LocalOptions
from heat_core.table import Table
from heat_tui.app import HeatApp
from heat_tui.flow.table_factory import make_table, own_lesson
from heat_tui.saved.continuing import newest_race
from heat_tui.saved.own_race import OwnRace
from tests.tui.support_app import folders_in
from tests.tui.support_race import table_at

GARAGE = LocalOptions(names=("Ana", "Ben"), track="usa", laps=1, bots=("steady",), legends=1, seed="5")
RACES: dict[str, Callable[[], Table]] = {
    "alone": lambda: make_table(
        LocalOptions(names=("Ana",), track="italy", laps=1, bots=("steady",), legends=1, seed="5")
    ),
    "hot-seat": lambda: make_table(GARAGE),
    "first race": lambda: own_lesson("Ana", "red"),
    "position": lambda: table_at(
        {"ana": "lap 1 space 30 hand 4 3 2 draw 4 4 heat", "ben": "lap 1 space 20"}, round=7, laps=1
    ),
}


def alone(path: Path) -> OwnRace:
    """A race that another window, or a test, has begun and not put away."""
    return OwnRace.begin(folders_in(path), RACES["alone"]())


def newest(path: Path) -> OwnRace | None:
    return newest_race(folders_in(path), print)


def app_at(path: Path, opening: Callable[[HeatApp], None] | None = None) -> HeatApp:
    return HeatApp(folders_in(path), opening=opening, animate=False, player_name="Ana")


def app_racing(path: Path, race: str = "alone") -> HeatApp:
    return app_at(path, lambda app: app.race_here(RACES[race]()))
