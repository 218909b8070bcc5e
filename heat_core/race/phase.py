"""The phases of a round; apart from the state, because an enum that is compiled loses its words."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """The nine phases of a round, and what lies before and after the rounds (TURN-1)."""

    SET_UP = 0
    SHIFT_GEARS = 1
    PLAY_CARDS = 2
    REVEAL_AND_MOVE = 3
    ADRENALINE = 4
    REACT = 5
    SLIPSTREAM = 6
    CHECK_CORNERS = 7
    DISCARD = 8
    REPLENISH = 9
    ENDED = 10
