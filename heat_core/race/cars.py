"""The cars of a race: what all have, what Legends have, and the cards of a seat (CORE-1).

They are plain classes with slots, made for `make fast`: no library's base class, each attribute set once in
`__init__`. `heat_core.race.state_dump` serialises them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, final

from heat_core.cards import CardName
from heat_core.race.setup import LegendSetup

CarStatus: TypeAlias = Literal["racing", "finished", "left", "gave_up", "spun_out"]
"""`finished`: beyond the line, still on the track; `left`: taken off the track with its place."""


class Car:
    """What all cars have.

    Attributes:
        number: Its place in the race's list of cars.
        progress: Lap x spaces + space.
        spot: 0 the race line, 1 the other.
        laps_completed: The greatest one recorded, where the race's event asks for laps.
    """

    __slots__ = ("laps_completed", "number", "progress", "spot", "status")

    def __init__(self, number: int) -> None:
        """Begin without a place."""
        self.number = number
        self.progress = 0
        self.spot = 0
        self.status: CarStatus = "racing"
        self.laps_completed = 0

    def _copy_place(self, other: Car) -> None:
        other.progress = self.progress
        other.spot = self.spot
        other.status = self.status
        other.laps_completed = self.laps_completed


@final
class Legend(Car):
    """An automated car.

    Attributes:
        drives: Helmet, bonus and chevrons.
        speed: What it last drove, None before its first turn.
    """

    __slots__ = ("drives", "speed")

    def __init__(self, number: int, drives: LegendSetup) -> None:
        """Begin without a place."""
        super().__init__(number)
        self.drives = drives
        self.speed: int | None = None

    def copy(self) -> Legend:
        """Make an independent copy."""
        other = Legend(self.number, self.drives)
        self._copy_place(other)
        other.speed = self.speed
        return other


@final
class Seat(Car):
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

    __slots__ = (
        "discard_pile",
        "draw_pile",
        "engine",
        "face_down",
        "gear",
        "hand",
        "heat_to_lose",
        "is_cluttered",
        "played",
        "upgrades",
    )

    def __init__(self, number: int) -> None:
        """Begin without a place, and without cards."""
        super().__init__(number)
        self.gear = 1
        self.engine = 0
        self.hand: list[CardName] = []
        self.draw_pile: list[CardName] = []
        self.discard_pile: list[CardName] = []
        self.face_down: tuple[CardName, ...] = ()
        self.played: list[CardName] = []
        self.is_cluttered = False
        self.upgrades: tuple[CardName, ...] = ()
        self.heat_to_lose = 0

    def copy(self) -> Seat:
        """Make an independent copy."""
        other = Seat(self.number)
        self._copy_place(other)
        other.gear = self.gear
        other.engine = self.engine
        other.hand = self.hand.copy()
        other.draw_pile = self.draw_pile.copy()
        other.discard_pile = self.discard_pile.copy()
        other.face_down = self.face_down
        other.played = self.played.copy()
        other.is_cluttered = self.is_cluttered
        other.upgrades = self.upgrades
        other.heat_to_lose = self.heat_to_lose
        return other
