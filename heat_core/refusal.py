"""Refused commands: code and text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class RefusalCode(StrEnum):
    """Why a command was refused; stable, so that clients may rely on it."""

    RACE_ENDED = "act/race_ended"
    NOT_A_SEAT = "act/not_a_seat"
    NOT_RACING = "act/not_racing"
    NOTHING_TO_DECIDE = "act/nothing_to_decide"
    OTHER_DECISION = "act/other_decision"
    LATE = "act/late"
    GEAR_OUT_OF_REACH = "act/gear_out_of_reach"
    NOT_ENOUGH_HEAT = "act/not_enough_heat"
    GEAR_CANNOT_BE_FILLED = "act/gear_cannot_be_filled"
    WRONG_NUMBER_OF_CARDS = "act/wrong_number_of_cards"
    CARD_NOT_IN_HAND = "act/card_not_in_hand"
    CARD_NOT_PLAYABLE = "act/card_not_playable"
    CARD_STAYS_IN_HAND = "act/card_stays_in_hand"
    NO_SUCH_SYMBOL = "act/no_such_symbol"
    SYMBOL_USED = "act/symbol_used"
    SYMBOL_NOT_AVAILABLE = "act/symbol_not_available"
    SYMBOL_NOT_USED = "act/symbol_not_used"
    WRONG_AMOUNT = "act/wrong_amount"
    NOT_OFFERED = "act/not_offered"
    NO_SLIPSTREAM = "act/no_slipstream"
    MAY_NOT_GIVE_UP = "act/may_not_give_up"


class Refused(Exception):
    """A command that the rules do not allow; nothing has changed.

    Attributes:
        code: Why, for programs.
        text: Why, for people: one sentence with the values in it.
        allowed: Why, for programs: what would be right in the place of what is wrong.
        decision: The decision that is open for the seat, where another one was answered.
    """

    def __init__(
        self,
        code: RefusalCode,
        text: str,
        allowed: Sequence[str | int] = (),
        decision: int | None = None,
    ) -> None:
        """Say no."""
        super().__init__(text)
        self.code = code
        self.text = text
        self.allowed = tuple(allowed)
        self.decision = decision
