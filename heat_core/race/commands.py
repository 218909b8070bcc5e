"""The commands of a seat. Cards in a command are a multiset; their order does not matter.

Each command answers one open decision, but for `GiveUp`, which needs none: `ANSWERED` says which, and
`SECRET_KINDS` which choices are secret (TURN-2).
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from heat_core.cards import CardName

_Gear = Annotated[int, msgspec.Meta(ge=1, le=4)]
_Small = Annotated[int, msgspec.Meta(ge=0, le=64)]
_Cards = Annotated[tuple[CardName, ...], msgspec.Meta(max_length=64)]


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag=True, tag_field="type"):
    """Base of all commands."""


class ShiftGear(_Said, frozen=True):
    """Phase 1: the gear of this round, in [1, 5)."""

    gear: _Gear


class PlayCards(_Said, frozen=True):
    """Phase 2: as many playable cards as the gear; none with a cluttered hand."""

    cards: _Cards


class ChooseValue(_Said, frozen=True):
    """Phase 3: the speed of each played card that offers a choice, in the order in which they lie."""

    values: Annotated[tuple[_Small, ...], msgspec.Meta(max_length=64)]


class UseSymbol(_Said, frozen=True):
    """Phase 5: use a symbol of the turn's list.

    Attributes:
        number: Its place in the list, from 0. One more than the last: play a card of the hand directly.
        amount: How much of an "up to n"; spaces of a draft; the speed of a card played directly; the symbol's
            own number for the others.
        cards: What salvage takes, or the card to play directly.
    """

    number: _Small
    amount: _Small = 1
    cards: _Cards = ()


class EndReact(_Said, frozen=True):
    """Phase 5: use nothing more."""


class DropUnpaid(_Said, frozen=True):
    """Phase 5: the played cards whose Heat is not paid; each is replaced by a flip."""

    cards: _Cards


class Slipstream(_Said, frozen=True):
    """Phase 6: how many spaces further, 0 for none."""

    spaces: _Small


class Discard(_Said, frozen=True):
    """Phase 8: cards from the hand for the discard pile.

    Attributes:
        cards: Any number, but no Heat and no Stress, unless the race's event says otherwise.
        refresh: Played cards that go on top of the draw pile, first one first; none in the base game.
    """

    cards: _Cards
    refresh: _Cards = ()


class PickUpgrade(_Said, frozen=True):
    """Before the race: one of the open upgrades."""

    card: CardName


class SwapUpgrade(_Said, frozen=True):
    """Before the race: an upgrade of your own for one left over; None and None to keep all."""

    give: CardName | None
    take: CardName | None


class GiveUp(_Said, frozen=True):
    """Leave the race (RACE-9)."""


Command: TypeAlias = (
    ShiftGear
    | PlayCards
    | ChooseValue
    | UseSymbol
    | EndReact
    | DropUnpaid
    | Slipstream
    | Discard
    | PickUpgrade
    | SwapUpgrade
    | GiveUp
)

DecisionKind: TypeAlias = Literal[
    "pick", "swap", "gear", "cards", "value", "react", "unpaid", "slipstream", "discard"
]

ANSWERED: Final[dict[type[Any], DecisionKind | None]] = {
    PickUpgrade: "pick",
    SwapUpgrade: "swap",
    ShiftGear: "gear",
    PlayCards: "cards",
    ChooseValue: "value",
    UseSymbol: "react",
    EndReact: "react",
    DropUnpaid: "unpaid",
    Slipstream: "slipstream",
    Discard: "discard",
    GiveUp: None,
}
"""By type of command: the kind of decision that it answers; None: it needs none."""

SECRET_KINDS: Final[frozenset[DecisionKind]] = frozenset({"gear", "cards", "discard"})
"""Choices that stay hidden, and may be changed, until all seats have chosen (TURN-2)."""

SECRET_COMMANDS: Final = tuple(command for command, kind in ANSWERED.items() if kind in SECRET_KINDS)
"""The types of the commands that answer those."""
