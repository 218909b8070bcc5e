"""The planner's rows: how long a table takes, and a decision."""

from __future__ import annotations

import time
from functools import cache

from heat_core.bots.planner import table_needed
from heat_core.drivers import BotName
from heat_core.files import load_track
from heat_core.planner.tables import TABLES
from heat_core.planner.value_table import build_table
from heat_core.race.presets import STANDARD
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.simulation import make_table

_BOARDS = ("usa", "gb", "spain")
_EVERYTHING = Modules("mixed", expansion=True, weather=True)
_RACES = 3


def table_seconds() -> float:
    """Seconds for the value table of a car with the starting upgrades."""
    table = make_table(load_track("usa"), None, ["hard"] * 2, STANDARD, "bench")
    key = table_needed(table.observation(0))
    began = time.process_time()
    build_table(key)
    return time.process_time() - began


@cache
def _decisions(bot: BotName, *, has_modules: bool) -> list[float]:
    """Race, and time each decision of six bots of a kind, tables not counted, in milliseconds, in order."""
    times = []
    for number in range(_RACES):
        board = load_track(_BOARDS[number % len(_BOARDS)])
        modules = _EVERYTHING if has_modules else BASE_GAME
        table = make_table(board, None, [bot] * 6, STANDARD, f"bench/{number}", modules)
        while not table.is_over:
            seat = next(asked.seat for asked in table.decisions() if not asked.has_chosen)
            observation = table.observation(seat)
            TABLES.get(table_needed(observation))
            began = time.process_time()
            table.bot_command(seat)
            times.append((time.process_time() - began) * 1e3)
            table.step_bot()
    return sorted(times)


def _percentile(times: list[float], share: float) -> float:
    return times[int(len(times) * share)]


def hard_milliseconds() -> float:
    """The 99th percentile of a hard bot's decision."""
    return _percentile(_decisions("hard", has_modules=False), 0.99)


def hard_milliseconds_with_modules() -> float:
    """The same with garage, expansion and weather."""
    return _percentile(_decisions("hard", has_modules=True), 0.99)


def normal_milliseconds_with_modules() -> float:
    """The same of a normal bot."""
    return _percentile(_decisions("normal", has_modules=True), 0.99)
