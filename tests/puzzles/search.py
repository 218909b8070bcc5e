"""Looks for puzzles in races of bots."""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Final, NamedTuple

import msgspec

from heat_core.bot_names import BOT_NAMES
from heat_core.drivers import DriverName
from heat_core.files import load_track, track_names
from heat_core.planner.table_key import own_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.weighing import Weighing
from heat_core.positions.file import PositionFile, encode_position
from heat_core.positions.position import setup_of_position
from heat_core.puzzles.opening import open_puzzle
from heat_core.puzzles.proof import DEALINGS, LEAST_LEAD, coached, lead_of, lines_of, misses
from heat_core.puzzles.puzzle import EASY_BOTS, BadPuzzle, LeadIn, Line, Puzzle
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.presets import STANDARD
from heat_core.race.setup import BASE_GAME, Modules, RaceSetup
from heat_core.rng import Stream
from heat_core.simulation import make_table
from heat_core.table import Table, TableDecision

FIELDS: Final = (
    ["hard", "normal", "hard", "normal", "legend:medium", "legend:easy"],
    ["normal", "hard", "normal", "hard", "normal"],
    ["hard", "hard", "legend:hard", "legend:hard", "legend:medium", "legend:medium"],
)
MODULES: Final = (
    BASE_GAME,
    Modules(weather=True),
    BASE_GAME,
    Modules(garage="mixed", expansion=True),
    Modules(garage="basic", weather=True),
)
OWN: Final = "You"
LEAST_MISSES: Final = 16
MOST_MISSES: Final = 180
"""What hardly a bot misses is no puzzle; what all miss may be the planner's own mistake."""


class Candidate(NamedTuple):
    """A puzzle, and whether upgrades or weather are in it."""

    puzzle: Puzzle
    modules: str


def search_race(number: int) -> list[Candidate]:
    """Look at each decision of the better bots in one race; the number says which race."""
    board = track_names()[number % len(track_names())]
    fields = FIELDS[number // len(track_names()) % len(FIELDS)]
    modules = MODULES[number % len(MODULES)]
    seed = f"puzzles/{number}"
    table = make_table(load_track(board), None, fields, STANDARD, seed, modules)
    return list(_search(table, seed))


def _search(table: Table, seed: str) -> Iterator[Candidate]:
    begun: int | None = None
    looked_at: set[int] = set()
    while not table.is_over:
        for asked in table.decisions():
            if begun is None or asked.has_chosen or asked.decision in looked_at:
                continue
            looked_at.add(asked.decision)
            if table.drivers[asked.seat] in ("hard", "normal") and _looks_good(table, asked):
                candidate = _candidate(table, asked, begun, f"{seed}/{asked.decision}")
                if candidate is not None:
                    yield candidate
        events = table.step_bot()
        if any(isinstance(each, e.DecisionsOpened) and each.kind in ("gear", "cards") for each in events):
            begun = len(table.log)


def _looks_good(table: Table, asked: TableDecision) -> bool:
    observation = table.observation(asked.seat)
    if observation.view.round < 2:
        return False
    weighing = Weighing(observation, TABLES.get(own_table_key(observation)), Stream("look"), 2)
    choices = weighing.choices()
    return len(choices) > 1 and (choices[1].turns - choices[0].turns) * SPACES_A_TURN > 0.8 * LEAST_LEAD


def _candidate(table: Table, asked: TableDecision, begun: int, luck: str) -> Candidate | None:
    """Make a puzzle of a decision; None where it is none."""
    lead_in = tuple(
        LeadIn(event.seat, event.command)
        for event in table.log[begun:]
        if isinstance(event, e.ChoiceMade) and event.command is not None
    )
    setup = _renamed(setup_of_position(fold(table.setup, table.log[:begun])), asked.seat, luck)
    drivers: list[DriverName | None] = [
        "human" if number == asked.seat else table.drivers.get(number) for number in range(len(setup.cars))
    ]
    position = encode_position(PositionFile(setup, tuple(drivers))).splitlines()
    nothing_yet = (Line(0.0, ()), Line(0.0, ()))
    puzzle = Puzzle(
        name=luck,
        track=setup.track.id,
        kind=asked.kind,
        missed=0,
        solution="",
        lines=nothing_yet,
        lead_in=lead_in,
        position=tuple(position),
    )
    try:
        proven = prove(puzzle)
    except BadPuzzle:  # a pile was shuffled on the way, and from the position it is shuffled in another order
        return None
    if not proven.solution or lead_of(proven.lines) < LEAST_LEAD:
        return None
    if not LEAST_MISSES <= proven.missed <= MOST_MISSES:
        return None
    modules = [setup.modules.garage != "none" and "garage", setup.modules.weather and "weather"]
    return Candidate(proven, " and ".join(word for word in modules if word))


def prove(puzzle: Puzzle, dealings: int = DEALINGS, bots: int = EASY_BOTS) -> Puzzle:
    """Measure a puzzle: its lines over the dealings, and how many bots miss the best one.

    Returns:
        The puzzle as measured, with the coach's sentence; without one where the coach chooses another line.
    """
    opened = open_puzzle(puzzle, load_track)
    luck, observation = opened.table.setup.seed or "", opened.table.observation(opened.asked.seat)
    lines = lines_of(observation, luck, dealings)
    advice = coached(observation, luck, dealings)
    return msgspec.structs.replace(
        puzzle,
        lines=lines,
        missed=misses(observation, lines[0], luck, bots),
        solution=advice.sentence if advice.command in lines[0].answers else "",
    )


def _renamed(setup: RaceSetup, own: int, luck: str) -> RaceSetup:
    """Call the own car `OWN`, the other drivers by names of their own, and the Legends by number."""
    first = Stream(f"{luck}/names").below(len(BOT_NAMES))
    names = islice(cycle(BOT_NAMES), first, None)
    legends = (f"Legend {number}" for number in range(1, 9))
    cars = [
        msgspec.structs.replace(
            car, name=next(legends) if car.legend else OWN if number == own else next(names)
        )
        for number, car in enumerate(setup.cars)
    ]
    return msgspec.structs.replace(setup, cars=tuple(cars), seed=luck)
