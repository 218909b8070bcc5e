"""A race that begins in the middle: where its cars are, and with which cards and tokens (CORE-15)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from heat_core.cards import Cards
from heat_core.data.weather import WeatherName
from heat_core.race.events.parts import Amounts, Roads


class CarPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a car is in a position that is set up directly (CORE-15).

    Attributes:
        lap: 0 for the grid.
        space: In [1, spaces].
        spot: 0 the race line, 1 the other; None: whichever is free.
        gear: The gear that the round begins in.
        engine: Heat in the engine; None: what the named cards leave of the track's.
        hand: None: dealt from the draw pile; none is dealt to a car that has left the race.
        draw_pile: Top card first; None: shuffled.
        discard_pile: Oldest card first.
        played: What a car that has left the race left lying on the table.
        finished: Its place, from 1, where it has finished and left the track (rulebook); it stands where
            it crossed the line.
        gave_up: Where it gave up: how many had left the race without a place by then, itself counted.
        spun_out: The same where a spin-out put it out of the race, by the event.
        speed: What a Legend drove last, None before its first turn.
        dealt: How many cards of the draw pile are dealt to the hand beside those named; None: none beside a
            named hand, else up to a whole one.
        shuffled: The cards of a draw pile whose order nobody knows, those to be dealt too; None:
            all cards that stand nowhere else. Only where `draw_pile` names none.
    """

    lap: Annotated[int, msgspec.Meta(ge=0, le=9)]
    space: Annotated[int, msgspec.Meta(ge=1, le=400)]
    spot: Literal[0, 1] | None = None
    gear: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    engine: Annotated[int, msgspec.Meta(ge=0, le=20)] | None = None
    hand: Cards | None = None
    draw_pile: Cards | None = None
    discard_pile: Cards = ()
    played: Cards = ()
    finished: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    gave_up: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    spun_out: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    speed: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    dealt: Annotated[int, msgspec.Meta(ge=0, le=80)] | None = None
    shuffled: Cards | None = None

    @property
    def has_left(self) -> bool:
        """Tell whether the car is out of the race, with a place or without."""
        return self.finished is not None or self.out is not None

    @property
    def out(self) -> int | None:
        """The number of a car that has left the race without a place; None for one that has not."""
        return self.gave_up or self.spun_out


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mid-race position: the beginning of phase 1, or of phase 2 with the gears shifted already.

    Attributes:
        cars: In set-up order, one for each car.
        round: The round that begins.
        phase: Which phase is about to be asked.
        legend_cards: The next Legend cards, by number from 0, top first.
        are_others_turned: Whether all Legend cards not named have been turned already; else they lie,
            shuffled, below those named.
        weather: The weather token; None in a race without weather.
        roads: The road token of each corner, by number; empty: none lies.
        spent: Sponsorship cards that have left the game.
    """

    cars: Annotated[tuple[CarPosition, ...], msgspec.Meta(max_length=8)]
    round: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    phase: Literal["shift", "play"] = "shift"
    legend_cards: Amounts = ()
    are_others_turned: bool = False
    weather: WeatherName | None = None
    roads: Roads = ()
    spent: Cards = ()
