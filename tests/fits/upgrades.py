"""What each upgrade is worth: the turns that the value table saves with it beside the 12 Speed cards."""

from __future__ import annotations

from typing import NamedTuple
from unittest.mock import patch

from heat_core.cards import UPGRADES, CardName
from heat_core.files import load_track, track_names
from heat_core.planner import value_table
from heat_core.planner.table_key import table_key
from heat_core.race.setup import CarSetup, Modules, make_setup

BOARDS = tuple(track_names())
HANDS = 40
"""Dealt for each engine: more than usual, for the differences are small."""


class Try(NamedTuple):
    """A board, and the upgrade in the deck."""

    board: str
    card: CardName | None


def tries() -> list[Try]:
    """List all: each board without an upgrade, and with each."""
    return [Try(board, card) for board in BOARDS for card in (None, *UPGRADES)]


def turns_with(one: Try) -> float:
    """Give the turns of a race from the front of the grid."""
    cars = [CarSetup("Ana", "red"), CarSetup("Bo", "blue")]
    setup = make_setup(load_track(one.board), cars, seed="fits", modules=Modules(garage="mixed"))
    key = table_key(setup, None, (), (one.card,) if one.card else ())
    with patch.object(value_table, "_HANDS", HANDS):
        table = value_table.build_table(key)
    pole = setup.track.grid[0][0]
    return table.turns(pole, 1, setup.track.heat)


def worths(turns: dict[Try, float]) -> dict[CardName, tuple[float, ...]]:
    """Give what each upgrade saves on each board, the best on all together first."""
    found = {
        card: tuple(turns[Try(board, None)] - turns[Try(board, card)] for board in BOARDS)
        for card in UPGRADES
    }
    return dict(sorted(found.items(), key=lambda each: -sum(each[1])))
