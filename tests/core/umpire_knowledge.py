"""What an umpire knows of a race, and how it answers the questions of docs/rules.md from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from heat_core.cards import CATALOGUE, sponsorship_deck
from heat_core.data.legends import LEGEND_CARDS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.track_facts import Corner
from tests.core.umpire_road import Road
from tests.core.umpire_tokens import Tokens

COOLDOWN = {1: 3, 2: 1}
BASIC = frozenset("1234")


def symbols_on(card: str) -> dict[str, int]:
    return dict(CATALOGUE[card].symbols)


def is_sponsorship(card: str) -> bool:
    return CATALOGUE[card].kind == "sponsorship"


@dataclass(frozen=True)
class Due:
    """The event that must come next, and what is known of it."""

    kind: type[Any]
    fields: dict[str, object]


@dataclass(frozen=True)
class Flip:
    """A flip that must come next: cards passed over, and one with a value; or none is left."""

    seat: int
    reason: str
    source: str


@dataclass(frozen=True)
class Then:
    """What must come next, found out when all before it has happened."""

    find: Callable[[], Dues]


Dues: TypeAlias = "list[Due | Flip | Then]"


def due(kind: type[Any], /, **fields: object) -> Due:
    return Due(kind, fields)


@dataclass
class Driver:
    """A car, and the cards of a seat; the draw pile has its top card first."""

    is_legend: bool
    place: int = 0
    spot: int = 0
    status: str = "racing"
    gear: int = 1
    engine: int = 0
    hand: Counter[str] = field(default_factory=Counter)
    draw: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    upgrades: list[str] = field(default_factory=list)
    is_cluttered: bool = False
    laps: int = 0
    heat_to_lose: int = 0

    def playable(self) -> int:
        return self.hand.total() - self.hand["heat"]

    def can_flip(self) -> bool:
        return not BASIC.isdisjoint({*self.draw, *self.discard})


@dataclass
class Turn:
    """One car's phases 3 to 7.

    `values` has the speed of each card of the turn that is numbered; `flips` counts those that accelerate.
    """

    car: int
    start: int
    start_spot: int
    speed: int = 0
    flips: int = 0
    last_flip: int = 0
    cards: int = 0
    values: dict[int, int] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    slipstream_lines: list[int] = field(default_factory=list)
    symbols: list[e.Symbol] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    def unused(self, kind: str) -> list[int]:
        """Give the numbers of the unused symbols of a kind."""
        return [n for n, symbol in enumerate(self.symbols) if symbol.kind == kind and n not in self.used]

    def adjust(self) -> int:
        return sum(self.symbols[n].number for n in self.unused("adjust"))

    def unpaid(self) -> dict[int, tuple[str, int]]:
        """Give the cards whose Heat is not paid: number -> name, Heat."""
        return {
            self.symbols[n].card: (self.symbols[n].source, self.symbols[n].number)
            for n in self.unused("heat")
        }


class Knowledge:
    """The state of a race as the umpire keeps it: only events, as they are seen, change it."""

    def __init__(self, setup: RaceSetup) -> None:
        self.rules = setup.rules
        self.setup = setup
        self.event = setup.event_card
        self.road = Road(setup.track, setup.laps)
        self.tokens = Tokens(setup, self.road)
        self.cars = [Driver(car.legend is not None) for car in setup.cars]
        for car, owned in zip(self.cars, setup.carried.upgrades, strict=False):
            car.upgrades = list(owned)
        self.hand_size = self.event.hand_size or self.rules.hand_size
        self.due: Dues = []
        self.round = 0
        self.phase = 0
        self.order: tuple[int, ...] = ()
        self.adrenaline: tuple[int, ...] = ()
        self.turn: Turn | None = None
        self.turns = 0
        self.asked: dict[int, str] = {}
        self.chosen: dict[int, c.Command] = {}
        self.face_down: dict[int, tuple[str, ...]] = {}
        self.legend_deck: list[int] = []
        self.legend_card: int | None = None
        self.sponsorships = Counter[str]()
        if setup.modules.sponsorships:
            self.sponsorships.update(sponsorship_deck(expansion=setup.modules.expansion))
        self.of_lap_1 = 0
        self.thrown = Counter[str]()
        self.left: list[int] = []
        self.out: list[int] = []
        self.is_over = False

    def racing(self, *, seats_only: bool = False) -> list[int]:
        return [
            n
            for n, car in enumerate(self.cars)
            if car.status == "racing" and not (seats_only and car.is_legend)
        ]

    def seats(self) -> list[int]:
        return [n for n, car in enumerate(self.cars) if not car.is_legend]

    def active(self) -> tuple[Turn, Driver]:
        assert self.turn is not None
        return self.turn, self.cars[self.turn.car]

    def is_last_round(self) -> bool:
        ends = self.rules.race_end == "first_finisher"
        return ends and any(car.status == "finished" for car in self.cars)

    def nobody_drives(self) -> bool:
        """Tell whether all seats have given up or are out."""
        return all(car.is_legend or car.status in ("gave_up", "spun_out") for car in self.cars)

    def reason_nobody_drives(self) -> str:
        """Say which of the two it was, or both."""
        quitters = [car.status == "gave_up" for car in self.cars if not car.is_legend]
        if all(quitters):
            return "gave_up"
        return "gave_up_or_spun_out" if any(quitters) else "spun_out"

    def taken(self, mover: int) -> set[tuple[int, int]]:
        return {
            (self.road.space(car.place), car.spot)
            for n, car in enumerate(self.cars)
            if n != mover and car.status in ("racing", "finished")
        }

    def ranked(self, numbers: Sequence[int]) -> list[int]:
        return sorted(numbers, key=lambda n: (-self.cars[n].place, self.cars[n].spot))

    def is_in_tunnel(self, car: Driver) -> bool:
        return self.road.is_within(self.setup.track.tunnel, car.place)

    def slipstreams(self, number: int) -> dict[int, int]:
        """Give the slipstreams of the active car: spaces -> place that they lead to."""
        car, road = self.cars[number], self.road
        near = {road.space(car.place), road.space(car.place + 1)}
        if car.place > road.finish or not any(space in near for space, _ in self.taken(number)):
            return {}
        gears, effect = self.event.slipstream_gears, self.tokens.effect(car.place)
        if effect == "no_slipstream" or (gears is not None and car.gear not in gears):
            return {}
        turn, _ = self.active()
        further = [turn.symbols[n].number for n in turn.unused("slipstream")]
        if effect is not None and effect.startswith("slipstream+"):
            further.append(int(effect[-1]))
        ways = {2}
        for spaces in further:
            ways |= {way + spaces for way in ways}
        possible = {}
        for spaces in sorted(ways):
            if self.rules.slipstream_over_finish or car.place + spaces <= road.finish:
                end = self.end(number, spaces)[0]
                if end > car.place:
                    possible[spaces] = end
        return possible

    def end(self, number: int, spaces: int) -> tuple[int, int]:
        car = self.cars[number]
        return self.end_from(number, car.place, car.spot, spaces)

    def end_from(self, number: int, start: int, spot: int, spaces: int) -> tuple[int, int]:
        if spaces == 0:
            return start, spot
        step = 1 if self.rules.full_space == "ahead" else -1
        place = start + spaces
        while place > start:
            free = self.road.free_spot(self.taken(number), place)
            if free is not None:
                return place, free
            place += step
        return start, spot

    def shift_heat(self, car: Driver, gear: int) -> int | None:
        """Give the Heat of a shift, None for one that is not possible."""
        steps = gear - car.gear
        heat = int(abs(steps) == 2)
        heat += steps < 0 and self.road.is_within(self.setup.track.flooded, car.place)
        return None if abs(steps) > 2 or heat > car.engine else heat

    def legend_end(self, number: int) -> tuple[int, int, int]:
        """Give place, spot and shown speed of a Legend's move."""
        assert self.legend_card is not None
        legend = self.setup.cars[number].legend
        assert legend is not None
        assert legend.helmet is not None
        diamond, top = LEGEND_CARDS[self.legend_card][legend.helmet]
        car, road = self.cars[number], self.road
        line, corner = road.next_corner(car.place)
        if road.is_behind_legends_line(car.place, line, corner):
            speed = self.tokens.limit(road.number(line)) + diamond
            place, spot = self.end(number, speed)
            crossed = road.lines(car.place, place)
            most = 1 + extra_lines(legend.chevrons, corner, line - car.place)
            if len(crossed) <= most:
                return place, spot, speed
            stop = crossed[most]
        else:
            speed = top + legend.bonus
            if car.place + speed <= line or line > road.finish:
                return (*self.end(number, speed), speed)
            stop = line - diamond
        if stop <= car.place:
            return car.place, car.spot, 0
        for place in range(stop, car.place, -1):
            free = road.free_spot(self.taken(number), place)
            if free is not None:
                return place, free, min(speed, stop - car.place)
        return car.place, car.spot, min(speed, stop - car.place)


def extra_lines(chevrons: bool, corner: Corner, spaces_before: int) -> int:
    """Give how many more lines a Legend may cross that starts so many spaces before the last one."""
    if not chevrons:
        return 0
    if spaces_before < corner.double_chevron_within:
        return 2
    return int(spaces_before < corner.chevron_within)
