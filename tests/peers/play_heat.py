"""Random play of this engine: six cars, USA, 2 laps."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

from heat_core.decisions import choice_of, enumerate_commands, sample_command
from heat_core.engine import advance, start_race, step
from heat_core.files import load_track
from heat_core.race.commands import Command
from heat_core.race.setup import COLOURS, CarSetup, RaceSetup, make_setup
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.table import Table

_USA: Final = load_track("usa")
_CARS: Final = 6
_MIDDLE: Final = 300
"""Decisions before a roll-out begins."""
_ALL: Final = 1_000
"""Commands of a choice that are listed at the most: more than random play ever has."""


def _setup(number: int) -> RaceSetup:
    cars = [CarSetup(f"seat {seat}", COLOURS[seat]) for seat in range(_CARS)]
    return make_setup(_USA, cars, seed=f"peers/{number}", laps=2)


def _drive(
    race: Race, stream: Stream, decisions: int, take: Callable[[Race, int, Command], object] = step
) -> int:
    """Answer decisions with commands sampled from their choices, to the end of the race at the most.

    Returns:
        How many were answered.
    """
    made = 0
    while made < decisions and race.owing:
        seat = race.owing[0]
        take(race, seat, sample_command(choice_of(race, seat), stream))
        made += 1
    return made


def play_listed(decisions: int) -> None:
    """List the legal commands and take one of them, checked: what other engines do."""
    stream = Stream("peers")
    made = 0
    for number in count():
        race, _ = start_race(_setup(number))
        while race.owing:
            if made == decisions:
                return
            seat = race.owing[0]
            step(race, seat, stream.choose(list(enumerate_commands(choice_of(race, seat)))))
            made += 1


def play_checked(decisions: int) -> None:
    """Make the choice, sample a command from it, and take it as a person's is taken."""
    stream = Stream("peers")
    made = 0
    for number in count():
        race, _ = start_race(_setup(number))
        made += _drive(race, stream, decisions - made)
        if made == decisions:
            return


def play_rolled_out(decisions: int) -> None:
    """Copy a race in its middle, and drive the copy to the end with commands that need no check."""
    stream = Stream("peers")
    middle, _ = start_race(_setup(0))
    _drive(middle, stream, _MIDDLE)
    made = 0
    while made < decisions:
        made += _drive(middle.copy(), stream, decisions - made, advance)


def _asked(table: Table) -> tuple[int, int]:
    """Give the first seat that a table waits for, with the number of its decision."""
    return next((each.seat, each.decision) for each in table.decisions() if not each.has_chosen)


def play_table(decisions: int) -> None:
    """Do the same by way of a Table, which keeps the log and says who is asked what."""
    stream = Stream("peers")
    made = 0
    for number in count():
        table = Table(_setup(number), dict.fromkeys(range(_CARS), "human"))
        while not table.is_over:
            if made == decisions:
                return
            seat, decision = _asked(table)
            commands, _ = table.legal_commands(seat, decision, _ALL)
            table.submit(seat, decision, stream.choose(commands))
            made += 1
