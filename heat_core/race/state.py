"""The state of one race: the whole table, hidden cards included (CORE-1, CORE-2).

It changes only by applying events (`heat_core.race.apply`), copies cheaply, and serialises as it stands: its
classes are msgspec structs, so that bytes and values cannot drift apart.
"""

from __future__ import annotations

from copy import copy as shallow_copy
from enum import IntEnum
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, TypeAlias, final

import msgspec

from heat_core.cards import CardName
from heat_core.data.event_cards import EventFacts
from heat_core.data.weather import RoadName, WeatherName
from heat_core.race.commands import Command
from heat_core.race.events import DecisionKind, EndReason, Part, Standing, Symbol
from heat_core.race.presets import Rules
from heat_core.race.rules_version import refusal_of_rules
from heat_core.race.setup import LegendSetup, RaceSetup, garage_cards, sponsorship_cards
from heat_core.rng import seed_key
from heat_core.track import Track, compile_track

CarStatus: TypeAlias = Literal["racing", "finished", "left", "gave_up", "spun_out"]
"""`finished`: beyond the line, still on the track; `left`: taken off the track with its place."""


class Phase(IntEnum):
    """The nine phases of a round, and what lies before and after the rounds (TURN-1)."""

    SET_UP = 0
    SHIFT_GEARS = 1
    PLAY_CARDS = 2
    REVEAL_AND_MOVE = 3
    ADRENALINE = 4
    REACT = 5
    SLIPSTREAM = 6
    CHECK_CORNERS = 7
    DISCARD = 8
    REPLENISH = 9
    ENDED = 10


class OpenDecision(msgspec.Struct, gc=False):
    """What the race waits for from one seat.

    Attributes:
        id: Each answer uses it up; a secret choice that may still be changed is open again under a new one.
        chosen: The secret choice so far.
    """

    id: int
    kind: DecisionKind
    chosen: Command | None = None


class Car(msgspec.Struct):
    """What all cars have.

    Attributes:
        number: Its place in the race's list of cars.
        progress: Lap x spaces + space.
        spot: 0 the race line, 1 the other.
        laps_completed: The greatest one recorded, where the race's event asks for laps.
    """

    number: int
    progress: int = 0
    spot: int = 0
    status: CarStatus = "racing"
    laps_completed: int = 0


@final
class Legend(Car, tag="legend"):
    """An automated car.

    Attributes:
        drives: Helmet, bonus and chevrons.
        speed: What it last drove, None before its first turn.
    """

    drives: LegendSetup = LegendSetup()
    speed: int | None = None


@final
class Seat(Car, tag="seat"):
    """A player's place: the car and the cards (CORE-1).

    Attributes:
        gear: In [1, 5).
        engine: Heat cards in it.
        hand: In the order of `HAND_ORDER`.
        draw_pile: Top card last.
        discard_pile: Top card last.
        face_down: Chosen in phase 2 and not turned up yet; until then they count as cards of the hand.
        played: What lies turned up on the table this round, flipped cards too.
        is_cluttered: Whether this round's hand could not fill the gear.
        upgrades: What it owns of the garage, in the order of the picks.
        heat_to_lose: Heat cards that leave the game in this round's phase 8, by the race's event.
    """

    gear: int = 1
    engine: int = 0
    hand: list[CardName] = []
    draw_pile: list[CardName] = []
    discard_pile: list[CardName] = []
    face_down: tuple[CardName, ...] = ()
    played: list[CardName] = []
    is_cluttered: bool = False
    upgrades: tuple[CardName, ...] = ()
    heat_to_lose: int = 0

    def copy(self) -> Seat:
        """Make an independent copy."""
        other = shallow_copy(self)
        other.hand = self.hand.copy()
        other.draw_pile = self.draw_pile.copy()
        other.discard_pile = self.discard_pile.copy()
        other.played = self.played.copy()
        return other


class Turn(msgspec.Struct, gc=False):
    """The active car's turn so far.

    Attributes:
        start: Progress at its beginning.
        start_spot: Spot at its beginning.
        speed: What corners check, without cards whose value is still to be chosen; None before the reveal.
        parts: What the speed is made of.
        flips: Flips that gave a value this turn.
        lines: Corner lines crossed, in order, as progress.
        symbols: What the turn brought, in order; `used` has a bit for each that is gone.
        cards: How many cards with symbols have turned up; they are numbered from 1.
        slipstream_lines: Corner lines crossed in the slipstream.
    """

    car: int
    start: int
    start_spot: int
    speed: int | None = None
    parts: tuple[Part, ...] = ()
    flips: int = 0
    lines: tuple[int, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    used: int = 0
    cards: int = 0
    slipstream_lines: tuple[int, ...] = ()


class Race(msgspec.Struct, dict=True):
    """The whole state of a race (CORE-2).

    Attributes:
        event_number: Number of the last event applied; 0 before the first.
        draws: How many events have drawn random numbers.
        next_decision: The id of the next decision to open.
        cars: Numbered by place in this list.
        turn_order: Cars of this round, furthest ahead first, as fixed at the end of phase 2.
        adrenaline: The cars that have it this round.
        turn: The active car's turn, None between turns.
        turns_taken: Place behind the active car in the turn order; 0 before the first.
        open: Seat -> its open decision; all of one kind.
        owing: The seats whose open decision has no answer yet, in the order in which they are asked.
        places: By car: its spot as 2 x space + spot, `OFF_TRACK` for one that takes up none.
        legend_deck: Numbers of Legend cards not yet turned, top card last.
        legend_card: This round's, None before it turns up.
        is_last_round: Whether a car has finished where that ends the race.
        out: Cars that gave up or were put out by the event, in order.
        left: Cars that left the track with their place, best first.
        end: Why the race ended, None while it runs.
        offered: Upgrades that lie open in the garage.
        picking: Seats that pick next, in order.
        first_picker: The seat that picked first.
        upgrade_deck: Upgrades not dealt yet, in the order of the catalogue.
        drafted: Rounds of picks that have been dealt.
        weather: None where there is none, or before it is drawn.
        roads: Road token of each corner by number; empty where there are none.
        sponsorship_deck: Sponsorship cards not gained yet, in the order of the catalogue.
        first_lap: Cars that have completed the first lap, in order, where the event asks for it.
    """

    setup: RaceSetup
    cars: list[Seat | Legend]
    event_number: int = 0
    draws: int = 0
    next_decision: int = 1
    round: int = 0
    phase: Phase = Phase.SET_UP
    turn_order: tuple[int, ...] = ()
    adrenaline: tuple[int, ...] = ()
    turn: Turn | None = None
    turns_taken: int = 0
    open: dict[int, OpenDecision] = {}
    owing: list[int] = []
    places: list[int] = []
    legend_deck: list[int] = []
    legend_card: int | None = None
    is_last_round: bool = False
    out: list[int] = []
    left: list[int] = []
    end: EndReason | None = None
    standings: tuple[Standing, ...] = ()
    offered: list[CardName] = []
    picking: tuple[int, ...] = ()
    first_picker: int | None = None
    upgrade_deck: list[CardName] = []
    drafted: int = 0
    weather: WeatherName | None = None
    roads: tuple[RoadName | None, ...] = ()
    sponsorship_deck: list[CardName] = []
    first_lap: tuple[int, ...] = ()

    FORMAT: ClassVar[int] = 4

    @cached_property
    def track(self) -> Track:
        """The compiled track of the set-up."""
        return compile_track(self.setup.track)

    @cached_property
    def rules(self) -> Rules:
        """The settings of the set-up."""
        return self.setup.rules

    @cached_property
    def event_card(self) -> EventFacts:
        """The event card of the set-up; one that changes nothing where there is none."""
        return self.setup.event_card

    @cached_property
    def hand_size(self) -> int:
        """What hands are drawn up to (CORE-7)."""
        return self.setup.hand_size

    @cached_property
    def finish_line(self) -> int:
        """The progress behind which a car has finished."""
        return self.track.finish_line(self.setup.laps)

    @cached_property
    def seed_key(self) -> bytes:
        """The key of this race's random numbers."""
        if self.setup.seed is None:
            raise ValueError("a race without its seed can be read but not continued")
        return seed_key(self.setup.seed)

    @property
    def status(self) -> Literal["set_up", "running", "ended"]:
        """Tell whether the race runs; it follows from the phase, so the two cannot disagree."""
        if self.phase is Phase.SET_UP:
            return "set_up"
        return "ended" if self.phase is Phase.ENDED else "running"

    def seat(self, number: int) -> Seat:
        """Give the car of a seat.

        Raises:
            TypeError: The car is a Legend.
        """
        car = self.cars[number]
        if type(car) is not Seat:
            raise TypeError(f"car {number} is a Legend")
        return car

    def seats(self) -> list[int]:
        """List the numbers of all seats."""
        return [car.number for car in self.cars if type(car) is Seat]

    def racing_seats(self) -> list[int]:
        """List the numbers of the seats that take part in this round."""
        return [car.number for car in self.cars if type(car) is Seat and car.status == "racing"]

    def occupied(self, mover: int) -> list[int]:
        """List the spots of the other cars than the mover (TURN-8), in the form of `places`."""
        taken = self.places.copy()
        taken[mover] = OFF_TRACK
        return taken

    def copy(self) -> Race:
        """Make an independent copy; the set-up and the compiled track are shared."""
        other = shallow_copy(self)
        vars(other).update(vars(self))
        other.cars = [car.copy() if type(car) is Seat else shallow_copy(car) for car in self.cars]
        other.turn = shallow_copy(self.turn)
        other.open = {seat: shallow_copy(decision) for seat, decision in self.open.items()}
        other.owing = self.owing.copy()
        other.places = self.places.copy()
        other.legend_deck = self.legend_deck.copy()
        other.out = self.out.copy()
        other.left = self.left.copy()
        other.offered = self.offered.copy()
        other.upgrade_deck = self.upgrade_deck.copy()
        other.sponsorship_deck = self.sponsorship_deck.copy()
        return other


ON_TRACK: frozenset[CarStatus] = frozenset({"racing", "finished"})

OFF_TRACK: Final = 0


def new_race(setup: RaceSetup) -> Race:
    """Make the state before the first event: cars without place or cards."""
    cars: list[Seat | Legend] = [
        Legend(number, drives=car.legend) if car.legend else Seat(number)
        for number, car in enumerate(setup.cars)
    ]
    for car, owned in zip(cars, setup.carried.upgrades, strict=False):
        if type(car) is Seat:
            car.upgrades = owned
    return Race(
        setup,
        cars,
        places=[OFF_TRACK] * len(cars),
        upgrade_deck=garage_cards(setup),
        sponsorship_deck=sponsorship_cards(setup),
    )


class BadDump(ValueError):
    """Bytes that are no race, table or season, or one of another version."""


class OtherVersion(BadDump):
    """Another version wrote or began it; the text names both versions."""


def dump_race(race: Race) -> bytes:
    """Serialise a race in any phase; equal races give equal bytes (CORE-12, RACE-8)."""
    return _ENCODER.encode({"format": Race.FORMAT, "race": race})


def load_race(data: bytes) -> Race:
    """Bring a race back.

    Raises:
        BadDump: The bytes are broken or were written by another version.
    """
    try:
        head: dict[str, Any] = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        version = msgspec.json.decode(head.get("format", b"null"))
        if version != Race.FORMAT:
            raise OtherVersion(f"format {version!r}; this version reads format {Race.FORMAT}")
        race = _DECODER.decode(head["race"])
    except (msgspec.DecodeError, KeyError, UnicodeDecodeError, RecursionError) as error:
        raise BadDump(f"no race: {error}") from None
    require_rules_version(race.setup.rules_version)
    return race


def require_rules_version(version: int) -> None:
    """See that a race or season was begun by the rules that this version plays (CORE-17).

    Raises:
        OtherVersion: It was not, so it would continue otherwise than it began.
    """
    if reason := refusal_of_rules(version):
        raise OtherVersion(reason)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Race)
