"""The normal form of commands: whoever names the same cards says the same."""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.cards import HAND_ORDER, CardName
from heat_core.race.commands import ANSWERED, Command


def normalised(command: Command) -> Command:
    """Put the cards of a command in hand order: the same choice is the same value however it was picked.

    Unknown names come last; the order of `refresh` means something and stays.
    """
    if type(command) not in _NAMING_CARDS:
        return command
    cards: tuple[CardName, ...] = command.cards  # type: ignore[union-attr]  # because these have them
    if len(cards) < 2:
        return command
    least = 0
    for card in cards:
        place = HAND_ORDER.get(card, _UNKNOWN)
        if place < least or place == _UNKNOWN:
            return msgspec.structs.replace(command, cards=tuple(sorted(cards, key=_place_in_hand)))
        least = place
    return command


_NAMING_CARDS: Final = frozenset(kind for kind in ANSWERED if "cards" in kind.__struct_fields__)
_UNKNOWN: Final = len(HAND_ORDER)


def _place_in_hand(card: CardName) -> tuple[int, str]:
    return HAND_ORDER.get(card, _UNKNOWN), card
