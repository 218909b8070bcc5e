"""What an umpire knows of a race, and how it answers the questions of RULES.md from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from heat_core import commands as c
from heat_core import events as e
from heat_core.data.legends import LEGEND_CARDS
from heat_core.setup import RaceSetup
from heat_core.track import Corner
from tests.core.umpire_road import Road

COOLDOWN = {1: 3, 2: 1}


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
    is_cluttered: bool = False

    def playable(self) -> int:
        return self.hand.total() - self.hand["heat"]


@dataclass
class Turn:
    """One car's phases 3 to 7, with what must come next."""

    car: int
    speed: int = 0
    flips_due: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    symbols: tuple[e.Symbol, ...] = ()
    used: set[int] = field(default_factory=set)
    move_due: tuple[str, int] | None = None
    speed_due: bool = False
    slipstream_due: bool = False
    spin_due: int | None = None
    phase: int = 3


class Knowledge:
    """The state of a race as the umpire keeps it: only events, as they are seen, change it."""

    def __init__(self, setup: RaceSetup) -> None:
        self.rules = setup.rules
        self.setup = setup
        self.road = Road(setup.track, setup.laps)
        self.cars = [Driver(car.legend is not None) for car in setup.cars]
        self.round = 0
        self.phase = 0
        self.order: tuple[int, ...] = ()
        self.adrenaline: tuple[int, ...] = ()
        self.turn: Turn | None = None
        self.turns = 0
        self.asked: dict[int, str] = {}
        self.chosen: dict[int, c.Command] = {}
        self.heat_due: list[tuple[int, int, str]] = []
        self.cool_due: tuple[int, int] | None = None
        self.legend_deck: list[int] = []
        self.legend_card: int | None = None
        self.left: list[int] = []
        self.out: list[int] = []
        self.out_due: int | None = None
        self.is_over = False

    def racing(self, *, seats_only: bool = False) -> list[int]:
        return [
            n
            for n, car in enumerate(self.cars)
            if car.status == "racing" and not (seats_only and car.is_legend)
        ]

    def is_last_round(self) -> bool:
        ends = self.rules.race_end == "first_finisher"
        return ends and any(car.status == "finished" for car in self.cars)

    def taken(self, mover: int) -> set[tuple[int, int]]:
        return {
            (self.road.space(car.place), car.spot)
            for n, car in enumerate(self.cars)
            if n != mover and car.status in ("racing", "finished")
        }

    def ranked(self, numbers: Sequence[int]) -> list[int]:
        return sorted(numbers, key=lambda n: (-self.cars[n].place, self.cars[n].spot))

    def can_slipstream(self, number: int) -> bool:
        car, road = self.cars[number], self.road
        near = {road.space(car.place), road.space(car.place + 1)}
        if car.place > road.finish or not any(space in near for space, _ in self.taken(number)):
            return False
        if not self.rules.slipstream_over_finish and car.place + 2 > road.finish:
            return False
        return self.end(number, 2)[0] > car.place

    def end(self, number: int, spaces: int) -> tuple[int, int]:
        car = self.cars[number]
        if spaces == 0:
            return car.place, car.spot
        step = 1 if self.rules.full_space == "ahead" else -1
        place = car.place + spaces
        while place > car.place:
            spot = self.road.free_spot(self.taken(number), place)
            if spot is not None:
                return place, spot
            place += step
        return car.place, car.spot

    def symbols_of(self, number: int) -> tuple[e.Symbol, ...]:
        gear = self.cars[number].gear
        symbols = []
        if gear in COOLDOWN:
            symbols.append(e.Symbol("cooldown", COOLDOWN[gear], "gear"))
        if gear in self.rules.boost_gears:
            symbols.append(e.Symbol("boost", 1, "gear"))
        if number in self.adrenaline:
            symbols += [e.Symbol("speed", 1, "adrenaline"), e.Symbol("cooldown", 1, "adrenaline")]
        return tuple(symbols)

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
            speed = corner.limit + diamond
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
