"""What happened, one record each: all that is needed to show it and to apply it.

Random outcomes stand in the event, so replaying needs no seed. Places are *progress* numbers (see
`heat_core.track`). A field that may be None besides its type is hidden from whoever must not see it; counts
stand in fields of their own, so that nothing else changes (see `heat_core.view`).
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from heat_core.cards import CardName
from heat_core.commands import Command
from heat_core.event_parts import (
    SECRET_KINDS,
    DecisionKind,
    EndReason,
    Happened,
    HeatReason,
    MoveReason,
    Part,
    Standing,
    Symbol,
    total,
)
from heat_core.module_events import (
    CardPlayedDirectly,
    CardScrapped,
    CardsDropped,
    CardsRefreshed,
    CardsSalvaged,
    GarageClosed,
    HeatLost,
    HeatPlace,
    HeatSuperCooled,
    LapCompleted,
    ModuleEvent,
    RoadsDrawn,
    SponsorReason,
    SponsorshipGained,
    SponsorshipsSpent,
    StressReduced,
    UpgradePicked,
    UpgradesDealt,
    UpgradeSwapped,
    WeatherDrawn,
)

__all__ = [
    "SECRET_KINDS",
    "CarFinished",
    "CarLeft",
    "CarMoved",
    "CarOut",
    "CardFlipped",
    "CardPlayedDirectly",
    "CardScrapped",
    "CardsDiscarded",
    "CardsDrawn",
    "CardsDropped",
    "CardsRefreshed",
    "CardsRevealed",
    "CardsSalvaged",
    "ChoiceMade",
    "ChoicesTurnedUp",
    "CornerChecked",
    "DecisionKind",
    "DecisionsOpened",
    "EndReason",
    "Event",
    "FlipFailed",
    "GarageClosed",
    "GearShifted",
    "GridDrawn",
    "HandCluttered",
    "Happened",
    "HeatCooled",
    "HeatLost",
    "HeatPaid",
    "HeatPlace",
    "HeatReason",
    "HeatSuperCooled",
    "LapCompleted",
    "LegendCardTurned",
    "LegendCardsShuffled",
    "LegendMoved",
    "ModuleEvent",
    "MoveReason",
    "Part",
    "PhaseEntered",
    "PileReshuffled",
    "PilesMade",
    "PlacedCar",
    "PlacedStatus",
    "PositionPlaced",
    "RaceEnded",
    "RaceSetUp",
    "RoadsDrawn",
    "RoundStarted",
    "SpeedSet",
    "SponsorReason",
    "SponsorshipGained",
    "SponsorshipsSpent",
    "SpunOut",
    "Standing",
    "StressReduced",
    "Symbol",
    "SymbolUsed",
    "SymbolsGained",
    "TurnOrderFixed",
    "TurnStarted",
    "UpgradePicked",
    "UpgradeSwapped",
    "UpgradesDealt",
    "WeatherDrawn",
    "total",
]


class RaceSetUp(Happened, frozen=True):
    """The race begins.

    Attributes:
        seed_commitment: Hash of the seed; of the season's where the race belongs to one.
        told_after: When the seed itself is told.
    """

    seed_commitment: str
    told_after: Literal["race", "season"] = "race"


class GridDrawn(Happened, frozen=True):
    """The cars take their places.

    Attributes:
        order: Cars, pole first.
    """

    order: tuple[int, ...]


PlacedStatus: TypeAlias = Literal["racing", "left", "gave_up", "spun_out"]


class PlacedCar(msgspec.Struct, frozen=True, gc=False):
    """What all may know of a car where a race begins from a position.

    Attributes:
        place: Of a car that has left the track, from 1; of one that gave up, its number among those.
        speed: A Legend's last speed.
        played: What lies on the table.
    """

    progress: int
    spot: int
    gear: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    status: PlacedStatus = "racing"
    place: int | None = None
    speed: int | None = None
    played: tuple[CardName, ...] = ()


class PositionPlaced(Happened, frozen=True):
    """The cars are put where the set-up's position says; their cards follow as at any start.

    Attributes:
        round: The round that begins.
        cars: By number.
        spent: Sponsorship cards that have left the game.
    """

    round: int
    cars: tuple[PlacedCar, ...]
    spent: tuple[CardName, ...] = ()


class PilesMade(Happened, frozen=True):
    """A seat's cards are put together: shuffled, or as a position says, its hand on top then.

    Attributes:
        draw_pile: Top card first; hidden from all, the owner too.
        cards: How many cards it has.
    """

    seat: int
    draw_pile: tuple[CardName, ...] | None
    cards: int
    discard_pile: tuple[CardName, ...]
    engine: int


class LegendCardsShuffled(Happened, frozen=True):
    """The Legend deck is shuffled, or laid as a position says.

    Attributes:
        order: Numbers of the cards not yet turned, top first; hidden from all.
    """

    order: tuple[int, ...] | None


class RoundStarted(Happened, frozen=True):
    """Phase 1 of a round begins."""

    round: int


class PhaseEntered(Happened, frozen=True):
    """The race, or the active car, goes on to a phase in [1, 10)."""

    phase: int


class DecisionsOpened(Happened, frozen=True):
    """The race waits for these seats, in this order."""

    kind: DecisionKind
    seats: tuple[int, ...]


class ChoiceMade(Happened, frozen=True):
    """A seat answered its open decision, or gave up (decision None then).

    Attributes:
        command: Hidden from the others while the choice is secret.
    """

    seat: int
    decision: int | None
    command: Command | None


class ChoicesTurnedUp(Happened, frozen=True):
    """All have chosen; what was secret takes effect."""

    kind: DecisionKind


class GearShifted(Happened, frozen=True):
    """A seat's gear turns up, whether or not it changed."""

    seat: int
    before: int
    gear: int


class TurnOrderFixed(Happened, frozen=True):
    """The order of the cars for this round's movement (TURN-4).

    Attributes:
        order: Cars, furthest ahead first.
        adrenaline: The cars that have adrenaline this round; a Legend uses its place up.
    """

    order: tuple[int, ...]
    adrenaline: tuple[int, ...]


class CardsRevealed(Happened, frozen=True):
    """A seat's chosen cards go from the hand to the table."""

    seat: int
    cards: tuple[CardName, ...]


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


class CarLeft(Happened, frozen=True):
    """A car that has finished leaves the track with its place (rulebook)."""

    car: int
    place: int


class CarOut(Happened, frozen=True):
    """A car leaves the race and the track at once."""

    car: int
    reason: Literal["gave_up", "spun_out"]


class CardsDiscarded(Happened, frozen=True):
    """Cards go to the discard pile.

    Attributes:
        played: All that lay on the table.
        hand: What the seat put away.
    """

    seat: int
    played: tuple[CardName, ...]
    hand: tuple[CardName, ...]


class PileReshuffled(Happened, frozen=True):
    """The discard pile becomes the new draw pile.

    Attributes:
        order: Top card first; hidden from all.
        cards: How many.
    """

    seat: int
    order: tuple[CardName, ...] | None
    cards: int


class CardsDrawn(Happened, frozen=True):
    """Cards go from the draw pile to the hand.

    Attributes:
        cards: Hidden from the others.
        count: How many.
    """

    seat: int
    cards: tuple[CardName, ...] | None
    count: int


class RaceEnded(Happened, frozen=True):
    """The race is over.

    Attributes:
        standings: Best first.
        seed: What the shuffles came from, told to all now; None where a season goes on by the same.
    """

    reason: EndReason
    standings: tuple[Standing, ...]
    seed: str | None


Event: TypeAlias = (
    RaceSetUp
    | GridDrawn
    | PositionPlaced
    | PilesMade
    | LegendCardsShuffled
    | RoundStarted
    | PhaseEntered
    | DecisionsOpened
    | ChoiceMade
    | ChoicesTurnedUp
    | GearShifted
    | TurnOrderFixed
    | CardsRevealed
    | TurnStarted
    | HandCluttered
    | CardFlipped
    | FlipFailed
    | SpeedSet
    | CarMoved
    | SymbolsGained
    | SymbolUsed
    | HeatPaid
    | HeatCooled
    | CornerChecked
    | SpunOut
    | LegendCardTurned
    | LegendMoved
    | CarFinished
    | CarLeft
    | CarOut
    | CardsDiscarded
    | PileReshuffled
    | CardsDrawn
    | RaceEnded
    | ModuleEvent
)
