"""The state of one race: the whole table, hidden cards included (CORE-1, CORE-2).

It changes only by applying events (`heat_core.race.apply`), copies cheaply, and `heat_core.race.state_dump`
serialises it. Its classes are plain ones with slots, as `heat_core.race.cars` says.
"""

from __future__ import annotations

from typing import Final, Literal, final

import msgspec

from heat_core.cards import CardName
from heat_core.data.weather import RoadName, WeatherName
from heat_core.race.cars import CarStatus, Legend, Seat
from heat_core.race.commands import Command
from heat_core.race.events import DecisionKind, EndReason, Part, Standing, Symbol
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup, garage_cards, sponsorship_cards
from heat_core.rng import seed_key
from heat_core.track import compile_track


@final
class OpenDecision:
    """What the race waits for from one seat.

    Attributes:
        id: Each answer uses it up; a secret choice that may still be changed is open again under a new one.
        chosen: The secret choice so far.
    """

    __slots__ = ("chosen", "id", "kind")

    def __init__(self, id: int, kind: DecisionKind, chosen: Command | None = None) -> None:
        """Open a decision."""
        self.id = id
        self.kind = kind
        self.chosen = chosen

    def copy(self) -> OpenDecision:
        """Make an independent copy."""
        return OpenDecision(self.id, self.kind, self.chosen)


@final
class Turn:
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

    __slots__ = (
        "car",
        "cards",
        "flips",
        "lines",
        "parts",
        "slipstream_lines",
        "speed",
        "start",
        "start_spot",
        "symbols",
        "used",
    )

    def __init__(self, car: int, start: int, start_spot: int) -> None:
        """Begin a turn."""
        self.car = car
        self.start = start
        self.start_spot = start_spot
        self.speed: int | None = None
        self.parts: tuple[Part, ...] = ()
        self.flips: int = 0
        self.lines: tuple[int, ...] = ()
        self.symbols: tuple[Symbol, ...] = ()
        self.used: int = 0
        self.cards: int = 0
        self.slipstream_lines: tuple[int, ...] = ()

    def copy(self) -> Turn:
        """Make an independent copy."""
        other = Turn(self.car, self.start, self.start_spot)
        other.speed = self.speed
        other.parts = self.parts
        other.flips = self.flips
        other.lines = self.lines
        other.symbols = self.symbols
        other.used = self.used
        other.cards = self.cards
        other.slipstream_lines = self.slipstream_lines
        return other


@final
class Race:
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
        track: The compiled track of the set-up.
        rules: The settings of the set-up.
        event_card: That of the set-up; one that changes nothing where there is none.
        hand_size: What hands are drawn up to (CORE-7).
        finish_line: The progress behind which a car has finished.
    """

    __slots__ = (
        "_seed_key",
        "adrenaline",
        "cars",
        "drafted",
        "draws",
        "end",
        "event_card",
        "event_number",
        "finish_line",
        "first_lap",
        "first_picker",
        "hand_size",
        "is_last_round",
        "left",
        "legend_card",
        "legend_deck",
        "next_decision",
        "offered",
        "open",
        "out",
        "owing",
        "phase",
        "picking",
        "places",
        "roads",
        "round",
        "rules",
        "setup",
        "sponsorship_deck",
        "standings",
        "track",
        "turn",
        "turn_order",
        "turns_taken",
        "upgrade_deck",
        "weather",
    )

    def __init__(self, setup: RaceSetup, cars: list[Seat | Legend], places: list[int]) -> None:
        """Begin before the first event."""
        self.setup = setup
        self.cars = cars
        self.places = places
        self.track = compile_track(setup.track)
        self.rules = setup.rules
        self.event_card = setup.event_card
        self.hand_size = setup.hand_size
        self.finish_line = self.track.finish_line(setup.laps)
        self._seed_key: bytes | None = None
        self.event_number: int = 0
        self.draws: int = 0
        self.next_decision: int = 1
        self.round: int = 0
        self.phase: Phase = Phase.SET_UP
        self.turn_order: tuple[int, ...] = ()
        self.adrenaline: tuple[int, ...] = ()
        self.turn: Turn | None = None
        self.turns_taken: int = 0
        self.open: dict[int, OpenDecision] = {}
        self.owing: list[int] = []
        self.legend_deck: list[int] = []
        self.legend_card: int | None = None
        self.is_last_round: bool = False
        self.out: list[int] = []
        self.left: list[int] = []
        self.end: EndReason | None = None
        self.standings: tuple[Standing, ...] = ()
        self.offered: list[CardName] = []
        self.picking: tuple[int, ...] = ()
        self.first_picker: int | None = None
        self.upgrade_deck: list[CardName] = []
        self.drafted: int = 0
        self.weather: WeatherName | None = None
        self.roads: tuple[RoadName | None, ...] = ()
        self.sponsorship_deck: list[CardName] = []
        self.first_lap: tuple[int, ...] = ()

    @property
    def seed_key(self) -> bytes:
        """The key of this race's random numbers."""
        key = self._seed_key
        if key is None:
            if self.setup.seed is None:
                raise ValueError("a race without its seed can be read but not continued")
            key = self._seed_key = seed_key(self.setup.seed)
        return key

    def reseed(self, seed: str) -> None:
        """Let the race go on with other luck."""
        self.setup = msgspec.structs.replace(self.setup, seed=seed)
        self._seed_key = None

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
        other = Race(self.setup, [car.copy() for car in self.cars], self.places.copy())
        other._seed_key = self._seed_key
        other.event_number = self.event_number
        other.draws = self.draws
        other.next_decision = self.next_decision
        other.round = self.round
        other.phase = self.phase
        other.turn_order = self.turn_order
        other.adrenaline = self.adrenaline
        other.turn = None if self.turn is None else self.turn.copy()
        other.turns_taken = self.turns_taken
        other.open = {seat: decision.copy() for seat, decision in self.open.items()}
        other.owing = self.owing.copy()
        other.legend_deck = self.legend_deck.copy()
        other.legend_card = self.legend_card
        other.is_last_round = self.is_last_round
        other.out = self.out.copy()
        other.left = self.left.copy()
        other.end = self.end
        other.standings = self.standings
        other.offered = self.offered.copy()
        other.picking = self.picking
        other.first_picker = self.first_picker
        other.upgrade_deck = self.upgrade_deck.copy()
        other.drafted = self.drafted
        other.weather = self.weather
        other.roads = self.roads
        other.sponsorship_deck = self.sponsorship_deck.copy()
        other.first_lap = self.first_lap
        return other


ON_TRACK: frozenset[CarStatus] = frozenset({"racing", "finished"})

OFF_TRACK: Final = 0


def new_race(setup: RaceSetup) -> Race:
    """Make the state before the first event: cars without place or cards."""
    cars: list[Seat | Legend] = [
        Legend(number, car.legend) if car.legend else Seat(number) for number, car in enumerate(setup.cars)
    ]
    for car, owned in zip(cars, setup.carried.upgrades, strict=False):
        if type(car) is Seat:
            car.upgrades = owned
    race = Race(setup, cars, [OFF_TRACK] * len(cars))
    race.upgrade_deck = garage_cards(setup)
    race.sponsorship_deck = sponsorship_cards(setup)
    return race
