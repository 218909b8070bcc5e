"""How far luck may still move a car, from races of bots: where all stood after each round, and who won."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import log
from typing import NamedTuple

from heat_core.files import load_track, track_names
from heat_core.planner.table_key import table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.winning import Spread, chances_of_winning, turns_of_cars
from heat_core.race.presets import STANDARD
from heat_core.simulation import make_table
from heat_core.view.secrecy import public_setup

FIELDS = (["normal"] * 6, ["normal"] * 4 + ["legend:medium"] * 2, ["normal", "easy"] * 3)
AT_FINISH = tuple(place / 100 for place in range(5, 35, 5))
BY_ROOT = tuple(place / 100 for place in range(10, 45, 5))


class Standing(NamedTuple):
    """The turns that each car was expected to need after a round, and the number of the one that won."""

    turns: tuple[float, ...]
    winner: int


def standings_of(number: int) -> list[Standing]:
    """Race once, and look at each round."""
    board = track_names()[number % len(track_names())]
    table = make_table(
        load_track(board), None, FIELDS[number % len(FIELDS)], STANDARD, f"fits/winning/{number}"
    )
    rounds: list[tuple[float, ...]] = []
    while not table.is_over:
        table.step_bot()
        view = table.view(None)
        if view.turn is None and len(rounds) < view.round - 1:
            values = TABLES.get(table_key(public_setup(table.setup), None, (), ()))
            rounds.append(turns_of_cars(table.setup, view, values))
    winner = table.view(None).standings[0].car
    return [Standing(turns, winner) for turns in rounds]


def surprise(standings: list[Standing], spread: Spread) -> float:
    """Give the mean surprise at the winners: less is better."""
    return -sum(
        log(max(1e-9, chances_of_winning(each.turns, spread)[each.winner])) for each in standings
    ) / len(standings)


def fits(standings: list[Standing]) -> Iterator[tuple[float, Spread]]:
    """Try all spreads: how surprised each is."""
    for at_finish, by_root in product(AT_FINISH, BY_ROOT):
        spread = Spread(at_finish, by_root)
        yield surprise(standings, spread), spread
