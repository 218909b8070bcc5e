"""Shorthand for tests of the championship: short seasons, and seasons played by bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heat_core.drivers import DriverName
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import STANDARD, Rules
from heat_core.race.setup import BASE_GAME, COLOURS, CarSetup, LegendSetup, Modules
from heat_core.season import events as s
from heat_core.season.setup import PlannedRace, SeasonSetup, make_season
from heat_core.season.state import Season, SeasonState, apply
from heat_core.simulation import play_out
from heat_core.table import Table
from tests.core.support import track_facts

ALL_MODULES = Modules("mixed", expansion=True, weather=True, sponsorships=True)


def cars_of(seats: int, legends: int = 0) -> list[CarSetup]:
    cars = [CarSetup(f"seat {n}", COLOURS[n]) for n in range(seats)]
    return cars + [CarSetup(f"legend {n}", COLOURS[n], LegendSetup(2)) for n in range(seats, seats + legends)]


def season_setup(
    *tracks: str,
    seats: int = 3,
    legends: int = 0,
    laps: int | None = 1,
    rules: Rules = STANDARD,
    modules: Modules = BASE_GAME,
    draws_events: bool = False,
    seed: str = "a season's seed",
) -> SeasonSetup:
    return make_season(
        [PlannedRace(track_facts(name), laps) for name in tracks or ("usa", "italy", "france")],
        cars_of(seats, legends),
        seed=seed,
        rules=rules,
        modules=modules,
        draws_events=draws_events,
    )


def begin(setup: SeasonSetup, driver: DriverName = "random") -> Season:
    return Season(setup, dict.fromkeys(setup.seats(), driver))


def race_on(season: Season) -> Iterator[Table]:
    """Play the season race by race; each table is over, and scored after it was looked at."""
    while not season.is_over:
        table = Table(season.next_race(), season.drivers)
        play_out(table)
        yield table
        season.finish_race(table.log)


def race_with(season: Season, *quitters: int) -> Table:
    """Race once; the named seats give up at once, in this order."""
    table = Table(season.next_race(), season.drivers)
    for seat in quitters:
        table.submit(seat, None, c.GiveUp())
    play_out(table)
    return table


def end_of(log: Sequence[e.Event]) -> e.RaceEnded:
    assert isinstance(log[-1], e.RaceEnded)
    return log[-1]


def order_of(log: Sequence[e.Event]) -> tuple[int, ...]:
    """Give the cars of a race that is over, best first."""
    return tuple(standing.car for standing in end_of(log).standings)


def grid_of(log: Sequence[e.Event]) -> tuple[int, ...]:
    return next(event.order for event in log if isinstance(event, e.GridDrawn))


def fold_season(events: Iterable[s.SeasonEvent]) -> SeasonState:
    """Apply a season's events from its beginning."""
    state = SeasonState()
    for event in events:
        apply(state, event)
    return state
