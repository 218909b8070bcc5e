"""Events of all cars: phases, decisions, secret choices, piles, the end; see `heat_core.race.events`."""

from __future__ import annotations

from typing import Literal

from heat_core.cards import Cards
from heat_core.race.commands import Command, DecisionKind
from heat_core.race.events.parts import (
    Amount,
    CarNumber,
    CarNumbers,
    DecisionNumber,
    EndReason,
    Gear,
    Happened,
    PhaseNumber,
    Place,
    Round,
    SeedText,
    Standings,
)


class RoundStarted(Happened, frozen=True):
    """Phase 1 of a round begins."""

    round: Round


class PhaseEntered(Happened, frozen=True):
    """The race, or the active car, continues to a phase in [1, 10)."""

    phase: PhaseNumber


class DecisionsOpened(Happened, frozen=True):
    """The race waits for these seats, in this order."""

    kind: DecisionKind
    seats: CarNumbers


class ChoiceMade(Happened, frozen=True, omit_defaults=True):
    """A seat answered its open decision, or gave up (decision None then).

    Attributes:
        command: Hidden from the others while the choice is secret.
        by_clock: The seat's time was over, and this was chosen for it.
    """

    seat: CarNumber
    decision: DecisionNumber | None
    command: Command | None
    by_clock: bool = False


class ChoicesTurnedUp(Happened, frozen=True):
    """All have chosen; gears or discards, which were secret, turn up for all at once."""

    kind: DecisionKind


class GearShifted(Happened, frozen=True):
    """A seat's gear turns up, whether or not it changed."""

    seat: CarNumber
    before: Gear
    gear: Gear


class CardsRevealed(Happened, frozen=True):
    """A seat's chosen cards turn up at the beginning of its turn: from the hand to the table."""

    seat: CarNumber
    cards: Cards


class TurnOrderFixed(Happened, frozen=True):
    """The order of the cars for this round's movement (TURN-4): all have chosen their cards.

    What they chose lies face down until the turn of each car.

    Attributes:
        order: Cars, furthest ahead first.
        adrenaline: The cars that have adrenaline this round; a Legend uses its place up.
    """

    order: CarNumbers
    adrenaline: CarNumbers


class CardsDiscarded(Happened, frozen=True):
    """Cards go to the discard pile.

    Attributes:
        played: All that lay on the table.
        hand: What the seat put away.
    """

    seat: CarNumber
    played: Cards
    hand: Cards


class PileReshuffled(Happened, frozen=True):
    """The discard pile becomes the new draw pile.

    Attributes:
        order: Top card first; hidden from all.
        cards: How many.
    """

    seat: CarNumber
    order: Cards | None
    cards: Amount


class CardsDrawn(Happened, frozen=True):
    """Cards go from the draw pile to the hand.

    Attributes:
        cards: Hidden from the others.
        count: How many.
    """

    seat: CarNumber
    cards: Cards | None
    count: Amount


class CarLeft(Happened, frozen=True):
    """A car that has finished leaves the track with its place (rulebook)."""

    car: CarNumber
    place: Place


class CarOut(Happened, frozen=True):
    """A car leaves the race and the track at once."""

    car: CarNumber
    reason: Literal["gave_up", "spun_out"]


class RaceEnded(Happened, frozen=True):
    """The race is over.

    Attributes:
        standings: Best first.
        seed: What the shuffles came from, shown to all now; None where a season continues by the same.
    """

    reason: EndReason
    standings: Standings
    seed: SeedText | None
