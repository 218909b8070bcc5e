"""From a puzzle file to a table at its decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from heat_core.names import clean_names
from heat_core.positions.file import parse_position
from heat_core.positions.position import BadPosition
from heat_core.puzzles.puzzle import BadPuzzle, Puzzle
from heat_core.refusal import Refused
from heat_core.table import Table, TableDecision
from heat_core.track_facts import TrackFacts


class OpenPuzzle(NamedTuple):
    """A puzzle at its decision.

    Attributes:
        table: The race.
        asked: The decision of the own seat.
    """

    table: Table
    asked: TableDecision


def open_puzzle(
    puzzle: Puzzle, find_track: Callable[[str], TrackFacts], driver: str | None = None
) -> OpenPuzzle:
    """Race a puzzle up to its decision.

    Args:
        find_track: Gives a track by its name, or raises `BadTrack`.
        driver: What the own car is called; None: as in the file.

    Raises:
        BadPuzzle: It leads to no decision of the kind that it names.
        BadName: Somebody can not be called so, or another driver is.
    """
    try:
        file = parse_position("\n".join(puzzle.position).encode(), find_track)
        drivers = file.all_drivers(has_player=True)
    except BadPosition as error:
        raise BadPuzzle(f"{puzzle.name}: {error}") from None
    own = next(seat for seat, who in drivers.items() if who == "human")
    setup = file.setup
    if driver is not None:
        names = [driver if seat == own else car.name for seat, car in enumerate(setup.cars)]
        cars = zip(setup.cars, clean_names(names), strict=True)
        renamed = tuple([msgspec.structs.replace(car, name=name) for car, name in cars])
        setup = msgspec.structs.replace(setup, cars=renamed)
    table = Table(setup, drivers)
    _lead_in(table, puzzle)
    for asked in table.decisions():
        if asked.seat == own and asked.kind == puzzle.kind:
            return OpenPuzzle(table, asked)
    raise BadPuzzle(f"{puzzle.name}: its seat has no decision of the kind {puzzle.kind}")


def _lead_in(table: Table, puzzle: Puzzle) -> None:
    for step in puzzle.lead_in:
        decision = next((each.decision for each in table.decisions() if each.seat == step.seat), None)
        try:
            table.submit(step.seat, decision, step.command)
        except Refused as error:
            raise BadPuzzle(f"{puzzle.name}: seat {step.seat}: {error}") from None
