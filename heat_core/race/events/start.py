"""How a race begins: on the grid or in a position, with which cards; see `heat_core.race.events`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from heat_core.cards import Cards
from heat_core.race.events.parts import (
    Amount,
    Amounts,
    CarNumber,
    CarNumbers,
    Commitment,
    Gear,
    Happened,
    Place,
    Progress,
    Round,
    Spot,
)


class RaceSetUp(Happened, frozen=True):
    """The race begins.

    Attributes:
        seed_commitment: Hash of the seed; of the season's where the race belongs to one.
        told_after: When the seed itself is shown.
    """

    seed_commitment: Commitment
    told_after: Literal["race", "season"] = "race"


class GridDrawn(Happened, frozen=True):
    """The cars take their places.

    Attributes:
        order: Cars, pole first.
    """

    order: CarNumbers


PlacedStatus: TypeAlias = Literal["racing", "left", "gave_up", "spun_out"]


class PlacedCar(msgspec.Struct, frozen=True, gc=False):
    """What all may know of a car where a race begins from a position.

    Attributes:
        place: Of a car that has left the track, from 1; of one that gave up, its number among those.
        speed: A Legend's last speed.
        played: What lies on the table.
    """

    progress: Progress
    spot: Spot
    gear: Gear = 1
    status: PlacedStatus = "racing"
    place: Place | None = None
    speed: Amount | None = None
    played: Cards = ()


class PositionPlaced(Happened, frozen=True):
    """The cars are put where the set-up's position says; their cards follow as at any start.

    Attributes:
        round: The round that begins.
        cars: By number.
        spent: Sponsorship cards that have left the game.
    """

    round: Round
    cars: Annotated[tuple[PlacedCar, ...], msgspec.Meta(max_length=8)]
    spent: Cards = ()


class PilesMade(Happened, frozen=True):
    """A seat's cards are put together: shuffled, or as a position says, its hand on top then.

    Attributes:
        draw_pile: Top card first; hidden from all, the owner too.
        cards: How many cards it has.
    """

    seat: CarNumber
    draw_pile: Cards | None
    cards: Amount
    discard_pile: Cards
    engine: Amount


class LegendCardsShuffled(Happened, frozen=True):
    """The Legend deck is shuffled, or laid as a position says.

    Attributes:
        order: Numbers of the cards not yet turned, top first; hidden from all.
    """

    order: Amounts | None
