"""What a view of a race holds; `heat_core.view.secrecy` makes it, and decides what goes in."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from heat_core.cards import Cards
from heat_core.data.weather import WeatherName
from heat_core.decisions import Choice
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.cars import CarStatus
from heat_core.race.events.parts import (
    Amount,
    Amounts,
    CarNumber,
    CarNumbers,
    DecisionNumber,
    EndReason,
    EventNumber,
    Gear,
    Lines,
    Parts,
    Progress,
    Roads,
    Spot,
    Standings,
    Symbols,
)
from heat_core.race.phase import Phase
from heat_core.race.setup import MAX_CARS
from heat_core.race.state import ON_TRACK

_Lap: TypeAlias = Annotated[int, msgspec.Meta(ge=-40, le=400)]
_Space: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=400)]


class CarView(msgspec.Struct, frozen=True, gc=False):
    """What all may know of a car. The fields from `gear` on mean nothing for a Legend.

    Attributes:
        status: On the track while it is racing or has finished; the others have left it.
        progress: Lap x spaces + space.
        spot: 0 the race line, 1 the other.
        lap: 0 on the grid.
        space: From 1.
        speed: A Legend's last speed, None before it has moved and for seats.
        engine: Heat in it.
        draw_size: Cards of the draw pile.
        discard_pile: Oldest card first.
        hand_size: Cards that lie face down are counted, so that it does not tell whether a hand is cluttered.
        played: What lies turned up on the table.
        is_cluttered: Its hand could not fill the gear this round.
        upgrades: What it owns of the garage.
    """

    number: CarNumber
    is_legend: bool
    status: CarStatus
    progress: Progress
    spot: Spot
    lap: _Lap
    space: _Space
    speed: Amount | None = None
    gear: Gear = 1
    engine: Amount = 0
    hand_size: Amount = 0
    draw_size: Amount = 0
    discard_pile: Cards = ()
    played: Cards = ()
    is_cluttered: bool = False
    upgrades: Cards = ()

    @property
    def is_on_track(self) -> bool:
        """Tell whether the car takes up a spot."""
        return self.status in ON_TRACK


class TurnView(msgspec.Struct, frozen=True, gc=False):
    """The active car's turn so far; see `heat_core.race.state.Turn`.

    Attributes:
        start: Its progress before the turn.
        speed: So far; None: its cards have not turned up.
        parts: What the speed is made of.
        lines: Corner lines crossed so far, to be checked in phase 7.
        symbols: All that the turn has had, the used ones too.
        used: For each of them, whether it is used.
        flips: How many cards were flipped.
        start_spot: Its spot before the turn.
    """

    car: CarNumber
    start: Progress
    speed: Amount | None
    parts: Parts
    lines: Lines
    symbols: Symbols
    used: Annotated[tuple[bool, ...], msgspec.Meta(max_length=200)]
    flips: Amount = 0
    start_spot: Spot = 0


class DecisionView(msgspec.Struct, frozen=True, gc=False):
    """Whom the race waits for, and whether the secret choice is made."""

    seat: CarNumber
    kind: e.DecisionKind
    has_chosen: bool


class OwnView(msgspec.Struct, frozen=True, gc=False):
    """What a seat alone may know.

    Attributes:
        hand: In hand order; cards that lie face down are among them.
        face_down: The cards that it chose and that turn up in its turn.
        draw_pile: Its cards in hand order: what they are, not how they lie.
        decision: The id to answer; None when nothing is asked of this seat.
        choice: What may be chosen.
        chosen: The secret choice made so far.
        may_give_up: Whether `GiveUp` is allowed now.
        is_asked: Whether the race waits for this seat's answer. If not, a decision that is there is one
            whose choice is made and may still be changed.
        default: What is answered for the seat when its time is up; None: nothing, or no time runs here.
    """

    seat: CarNumber
    hand: Cards
    draw_pile: Cards
    decision: DecisionNumber | None
    choice: Choice | None
    chosen: c.Command | None
    may_give_up: bool
    face_down: Cards = ()
    is_asked: bool = False
    default: c.Command | None = None


class RaceView(msgspec.Struct, frozen=True, gc=False):
    """A race as one seat or a spectator sees it.

    Attributes:
        event_number: Number of the last event that it contains.
        round: From 1; 0 before the first.
        phase: Of the round; from 3 to 7 it is that of the car whose turn it is.
        cars: By number.
        ranking: Cars, the leader first, those out of the race last.
        turn_order: This round's, empty before phase 3.
        adrenaline: Cars that have it this round.
        turn: Of the car that moves; None between turns.
        legend_card: Number of the card that the Legends move by this round; None: none is turned.
        decisions: What the race waits for, and secret choices that are made.
        end: Why the race ended; None: it has not.
        standings: At the end, best first.
        own: None for spectators.
        offered: Upgrades that lie open in the garage.
        picking: Seats that pick next, in order.
        weather: None where there is none.
        roads: Road token of each corner by number; empty where there are none.
        corner_limits: Speed limit of each corner by number, with its road token; a car's adjust symbols
            change it for that car alone.
        sponsorships_left: How many Sponsorship cards can still be gained.
    """

    event_number: EventNumber
    round: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    phase: Phase
    status: Literal["set_up", "running", "ended"]
    is_last_round: bool
    cars: Annotated[tuple[CarView, ...], msgspec.Meta(max_length=MAX_CARS)]
    ranking: CarNumbers
    turn_order: CarNumbers
    adrenaline: CarNumbers
    turn: TurnView | None
    legend_card: Amount | None
    decisions: Annotated[tuple[DecisionView, ...], msgspec.Meta(max_length=MAX_CARS)]
    end: EndReason | None
    standings: Standings
    own: OwnView | None
    offered: Cards = ()
    picking: CarNumbers = ()
    weather: WeatherName | None = None
    roads: Roads = ()
    sponsorships_left: Amount = 0
    corner_limits: Amounts = ()
