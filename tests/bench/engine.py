"""The engine's rows, measured with commands sampled from choices, without views and Table."""

from __future__ import annotations

import time
from collections.abc import Callable

from heat_core.decisions import choice_of, sample_command
from heat_core.engine import advance, start_race, step
from heat_core.files import load_track
from heat_core.race.commands import Command
from heat_core.race.presets import STANDARD
from heat_core.race.setup import COLOURS, CarSetup, RaceSetup, make_setup
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.rollouts.play import RollOuts
from heat_core.simulation import make_table, play_out

_RACES = 10
_MIDDLE_ROUND = 5
_ROLL_OUTS = 30


def _setup(seed: str) -> RaceSetup:
    cars = [CarSetup(f"seat {number}", COLOURS[number]) for number in range(6)]
    return make_setup(load_track("usa"), cars, seed=seed, laps=2)


def _play(race: Race, stream: Stream, most: int, take: Callable[[Race, int, Command], object]) -> int:
    decisions = 0
    while decisions < most and race.owing:
        seat = race.owing[0]
        take(race, seat, sample_command(choice_of(race, seat), stream))
        decisions += 1
    return decisions


def _decisions_a_second(take: Callable[[Race, int, Command], object]) -> float:
    races = [start_race(_setup(f"bench/{number}"))[0] for number in range(_RACES)]
    stream = Stream("bench")
    began = time.perf_counter()
    decisions = sum(_play(race, stream, 100_000, take) for race in races)
    return decisions / (time.perf_counter() - began)


def random_decisions() -> float:
    """Decisions a second of six random bots, who take their commands from the choice."""
    return _decisions_a_second(advance)


def checked_decisions() -> float:
    """The same where each command is checked as a person's is."""
    return _decisions_a_second(step)


def copy_microseconds() -> float:
    """Microseconds for a copy of a race in the middle."""
    race, _ = start_race(_setup("bench/copy"))
    _play(race, Stream("bench"), 300, advance)
    began = time.perf_counter()
    for _ in range(20_000):
        race.copy()
    return (time.perf_counter() - began) / 20_000 * 1e6


def steady_race_milliseconds() -> float:
    """Milliseconds for a whole race of six steady bots, by way of a Table."""
    track = load_track("usa")
    began = time.perf_counter()
    for number in range(_RACES):
        play_out(make_table(track, 2, ["steady"] * 6, STANDARD, f"bench/{number}"))
    return (time.perf_counter() - began) / _RACES * 1e3


def roll_outs_a_second() -> float:
    """Roll-outs a second of six steady bots, from the middle of a race to its end."""
    table = make_table(load_track("usa"), 2, ["steady"] * 6, STANDARD, "bench/middle")
    while table.view(None).round < _MIDDLE_ROUND:
        table.step_bot()
    (asked, *_) = [each for each in table.decisions() if not each.has_chosen]
    roll_outs, stream = RollOuts(table.observation(asked.seat)), Stream("bench")
    began = time.perf_counter()
    for _ in range(_ROLL_OUTS):
        roll_outs.play(stream)
    return _ROLL_OUTS / (time.perf_counter() - began)


def anchor_loops() -> float:
    """Million rounds of an empty loop a second: what this core does in this run."""
    began = time.perf_counter()
    for _ in range(5_000_000):
        pass
    return 5 / (time.perf_counter() - began)
