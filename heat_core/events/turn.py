"""What one car does in its turn, phases 3 to 7; see `heat_core.events`."""

from __future__ import annotations

from typing import Literal

from heat_core.cards import CardName
from heat_core.events.parts import Happened, HeatReason, MoveReason, Part, Symbol


class TurnStarted(Happened, frozen=True):
    """A car begins its phases 3 to 7."""

    car: int


class HandCluttered(Happened, frozen=True):
    """A hand could not fill the gear: it is shown, and cards are put on the discard pile (TURN-18).

    Attributes:
        hand: The whole hand.
        discarded: The playable cards and Heat that leave it.
        gear: The gear that it could not fill.
    """

    seat: int
    hand: tuple[CardName, ...]
    discarded: tuple[CardName, ...]
    gear: int


class CardFlipped(Happened, frozen=True):
    """The top card of a draw pile turns up.

    Attributes:
        reason: A card's name or `"boost"`.
        value: What it gives; 0: it is passed over and goes to the discard pile.
    """

    seat: int
    card: CardName
    reason: str
    value: int


class FlipFailed(Happened, frozen=True):
    """A flip gives nothing: no basic Speed card is left in draw and discard pile."""

    seat: int
    reason: str


class SpeedSet(Happened, frozen=True):
    """The speed of the turn is known or changes.

    Attributes:
        parts: What it is made of: cards, flips and symbols by name.
    """

    seat: int
    speed: int
    parts: tuple[Part, ...]


class CarMoved(Happened, frozen=True):
    """A car moves forward, or stays (start equals end then).

    It passes each space between; corner lines crossed are named by the progress of the space before them.

    Attributes:
        spaces: How far it should go; it differs from the way gone where the end space was full.
    """

    car: int
    reason: MoveReason
    spaces: int
    start: int
    end: int
    spot: int
    lines: tuple[int, ...]


class SymbolsGained(Happened, frozen=True):
    """Symbols join the turn's list."""

    seat: int
    symbols: tuple[Symbol, ...]


class SymbolUsed(Happened, frozen=True):
    """A symbol of the turn's list is used up, whether in full or in part."""

    seat: int
    number: int
    amount: int


class HeatPaid(Happened, frozen=True):
    """Heat goes from the engine to the discard pile.

    Attributes:
        parts: The bill.
    """

    seat: int
    amount: int
    reason: HeatReason
    parts: tuple[Part, ...]


class HeatCooled(Happened, frozen=True):
    """Heat goes from the hand back to the engine."""

    seat: int
    amount: int


class CornerChecked(Happened, frozen=True):
    """A crossed corner line is checked.

    Attributes:
        line: Progress of the space before it.
        corner: Its number, from 0.
        limit_parts: The printed limit and what changes it.
        owed: Heat to pay; more than `paid` means a spin-out.
    """

    seat: int
    line: int
    corner: int
    speed: int
    limit: int
    limit_parts: tuple[Part, ...]
    owed: int
    paid: int


class SpunOut(Happened, frozen=True):
    """A car could not pay: back before the corner, Stress into the hand, 1st gear (TURN-15)."""

    seat: int
    line: int
    start: int
    end: int
    spot: int
    stress: int


class LegendCardTurned(Happened, frozen=True):
    """The round's Legend card turns up.

    Attributes:
        card: Its number in the deck, from 0.
    """

    card: int


class LegendMoved(Happened, frozen=True):
    """A Legend's speed and the case of RULES that gave it; its `CarMoved` follows."""

    car: int
    case: Literal["A", "B"]
    speed: int


class CarFinished(Happened, frozen=True):
    """Phase 7 left a car beyond the finish line of the last lap."""

    car: int
