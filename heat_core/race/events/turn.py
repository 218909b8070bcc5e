"""The events of one car's turn, phases 3 to 7; see `heat_core.race.events`."""

from __future__ import annotations

from typing import Literal

from heat_core.cards import CardName, Cards
from heat_core.race.events.parts import (
    Amount,
    CarNumber,
    CornerNumber,
    FlipReason,
    Gear,
    Happened,
    HeatReason,
    Lines,
    MoveReason,
    Parts,
    Progress,
    Spot,
    Word,
)


class TurnStarted(Happened, frozen=True):
    """A car begins its phases 3 to 7."""

    car: CarNumber


class HandCluttered(Happened, frozen=True):
    """A hand could not fill the gear: it is shown, and cards are put on the discard pile (TURN-18).

    Attributes:
        hand: The whole hand.
        discarded: The playable cards and Heat that leave it.
        gear: The gear that it could not fill.
    """

    seat: CarNumber
    hand: Cards
    discarded: Cards
    gear: Gear


class CardFlipped(Happened, frozen=True):
    """The top card of a draw pile turns up.

    Attributes:
        source: The card that asks for it, or that it replaces; with a boost where that comes from, as in
            `Symbol.source`.
        value: What it gives; 0: it is passed over and goes to the discard pile.
    """

    seat: CarNumber
    card: CardName
    reason: FlipReason
    source: Word
    value: Amount


class FlipFailed(Happened, frozen=True):
    """A flip gives nothing: no basic Speed card is left in draw and discard pile; see `CardFlipped`."""

    seat: CarNumber
    reason: FlipReason
    source: Word


class SpeedSet(Happened, frozen=True):
    """The speed of the turn is known or changes.

    Attributes:
        parts: What it is made of: cards, flips and symbols by name.
    """

    seat: CarNumber
    speed: Amount
    parts: Parts


class CarMoved(Happened, frozen=True):
    """A car moves forward, or stays (start equals end then).

    It passes each space between.

    Attributes:
        spaces: How far it should go; it differs from the way gone where the end space was full.
        start: Its progress before.
        end: Its progress after.
        lines: Corner lines crossed, named by the progress of the space before them.
    """

    car: CarNumber
    reason: MoveReason
    spaces: Amount
    start: Progress
    end: Progress
    spot: Spot
    lines: Lines


class HeatPaid(Happened, frozen=True):
    """Heat goes from the engine to the discard pile.

    Attributes:
        parts: The bill.
    """

    seat: CarNumber
    amount: Amount
    reason: HeatReason
    parts: Parts


class CornerChecked(Happened, frozen=True):
    """A crossed corner line is checked.

    Attributes:
        line: Progress of the space before it.
        corner: Its number, from 0.
        limit_parts: The printed limit and what changes it.
        owed: Heat to pay; more than `paid` means a spin-out.
    """

    seat: CarNumber
    line: Progress
    corner: CornerNumber
    speed: Amount
    limit: Amount
    limit_parts: Parts
    owed: Amount
    paid: Amount


class SpunOut(Happened, frozen=True):
    """A car could not pay: back before the corner, Stress into the hand, 1st gear (TURN-15).

    Attributes:
        line: The corner line: progress of the space before it.
        start: Its progress before.
        end: Its progress after.
        stress: How many Stress cards it takes.
    """

    seat: CarNumber
    line: Progress
    start: Progress
    end: Progress
    spot: Spot
    stress: Amount


class LegendCardTurned(Happened, frozen=True):
    """The round's Legend card turns up.

    Attributes:
        card: Its number in the deck, from 0.
    """

    card: Amount


class LegendMoved(Happened, frozen=True):
    """A Legend's speed and the case (A or B) that gave it; its `CarMoved` follows."""

    car: CarNumber
    case: Literal["A", "B"]
    speed: Amount


class CarFinished(Happened, frozen=True):
    """Phase 7 left a car beyond the finish line of the last lap."""

    car: CarNumber
