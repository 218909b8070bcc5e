"""Shorthand for tests of positions: cars in words, position files, and races that stand somewhere."""

from __future__ import annotations

import msgspec
import pytest

from heat_core.decisions import may_give_up
from heat_core.engine import step
from heat_core.files import load_track
from heat_core.positions.file import PositionFile, parse_position
from heat_core.positions.position import BadPosition
from heat_core.race import commands as c
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race
from heat_core.view.secrecy import public_setup
from tests.core.support import RandomPlay, setup_of

ANA = "lap 1 space 30 spot other gear 3 engine 4 hand 4 3 2 stress draw 1 1 4 discard heat heat"
BEN = "lap 1 space 31 gear 2"
"""Cars in words, on USA."""

LEFT = {
    "ana": ANA,
    "ben": "lap 3 space 4 finished 2 engine 3 hand 1 draw 2 played 4 4",
    "cy": "lap 2 space 60 gear 3 gave-up 2 engine 5",
    "dan": "lap 1 space 9 gave-up 1",
    "l": "lap 3 space 1 legend hard speed 14 finished 1",
    "m": "lap 2 space 30 legend easy",
}
"""Cars in words, most of which have left the race."""

ANA_LINE = 'Ana = "lap 1 space 30"'
BEN_LINE = 'Ben = "lap 1 space 31 driver steady"'
"""Cars as lines of a file."""

EVERYTHING = """
# All that a file can say.
format = 1
track = "italy"
laps = 1
rules = "rulebook"
round = 7
phase = "play"
seed = "any text \\u007f ✓"
legend_cards = "7 3 others"

[cars]
Ana = "lap 1 space 30 spot other gear 3 engine 4 hand 4 3 2 draw 1 1 4 discard heat heat colour green"
"Ben the 2nd" = "lap 1 space 31 hand driver random"
"鈴鹿" = "lap 2 space 4 finished 2 played 4 4 driver human"
Dan = "lap 1 space 9 gave-up 1"
"Legend 1" = "lap 2 space 1 finished 1 legend hard speed 14"
"Legend 2" = "lap 1 space 30 legend easy bonus 6 chevrons yes helmet grey"
"""


def played_on(board: str, preset: PresetName, seed: str, steps: int) -> Race:
    """Race by random commands, with some that give up, until phase 1 or 2 comes after so many steps."""
    setup = setup_of(board, seats=4, legends=2, laps=1, rules=PRESETS[preset], seed=seed)
    game = RandomPlay(setup, seed)
    while game.race.phase is not Phase.ENDED:
        race = game.race
        is_fresh = all(decision.chosen is None for decision in race.open.values())
        if len(game.commands) >= steps and race.phase in (Phase.SHIFT_GEARS, Phase.PLAY_CARDS) and is_fresh:
            break
        quitter = game.stream.choose(sorted(race.open))
        if game.stream.choose(range(60)) == 0 and may_give_up(race, quitter):
            game.events += step(race, quitter, c.GiveUp())
        else:
            game.step()
    return game.race


def without_history(race: Race) -> bytes:
    """Dump a race without what tells only how it came to where it stands."""
    left = race.copy()
    left.setup = public_setup(race.setup)
    left.event_number = left.draws = left.next_decision = 0
    for decision in left.open.values():
        decision.id = 0
    return dump_race(left)


def parse(text: str | bytes) -> PositionFile:
    return parse_position(text if isinstance(text, bytes) else text.encode(), load_track)


def faults(text: str | bytes) -> list[str]:
    with pytest.raises(BadPosition) as refused:
        parse(text)
    assert str(refused.value) == "; ".join(refused.value.faults)
    return refused.value.faults


def with_cars(*cars: str, **keys: object) -> str:
    """Write a file of cars `name = words`, with some keys set or, by None, left out."""
    values: dict[str, object] = {"format": 1, "track": "usa"} | keys
    lines = [
        f"{key} = {msgspec.json.encode(value).decode()}" for key, value in values.items() if value is not None
    ]
    return "\n".join([*lines, "[cars]", *cars])
