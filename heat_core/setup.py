"""What a race is set up from: track, cars, rules, seed; and the helpers that make it complete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from heat_core.cards import CardName
from heat_core.data.legends import HELMETS, Helmet
from heat_core.presets import STANDARD, Rules
from heat_core.track import TrackFacts

Colour: TypeAlias = Literal["red", "blue", "yellow", "green", "black", "grey", "orange", "purple"]

COLOURS: Final[tuple[Colour, ...]] = (
    "red",
    "blue",
    "yellow",
    "green",
    "black",
    "grey",
    "orange",
    "purple",
)

RULES_VERSION: Final = 1
"""Goes up when the same commands would lead to other events; records name the version they were made by."""

MIN_CARS: Final = 2
MAX_CARS: Final = 8
USUAL_CARS: Final = 6


class LegendSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a Legend drives.

    Attributes:
        helmet: Whose entry of the Legend card it reads; None: dealt out by `make_setup`.
        bonus: Added to the top speed.
        chevrons: Whether it minds the chevrons of a corner.
    """

    bonus: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    chevrons: bool = False
    helmet: Helmet | None = None


class CarSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One car: a seat, or with `legend` an automated one."""

    name: str
    colour: Colour
    legend: LegendSetup | None = None


class CarPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a car stands in a position that is set up directly (CORE-15).

    Attributes:
        lap: 0 for the grid.
        space: In [1, spaces].
        spot: 0 the race line, 1 the other; None: whichever is free.
        gear: The gear that the round begins in.
        engine: Heat in the engine; None: what the named cards leave of the track's.
        hand: None: dealt from the draw pile; none is dealt to a car that has left the race.
        draw_pile: Top card first; None: shuffled of all cards that stand nowhere else.
        discard_pile: Oldest card first.
        played: What a car that has left the race left lying on the table.
        finished: Its place, from 1, where it has finished and left the track (rulebook); it stands where
            it crossed the line.
        gave_up: How many had given up when it did, itself counted.
        speed: What a Legend drove last, None before its first turn.
    """

    lap: Annotated[int, msgspec.Meta(ge=0, le=9)]
    space: Annotated[int, msgspec.Meta(ge=1, le=400)]
    spot: Literal[0, 1] | None = None
    gear: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    engine: Annotated[int, msgspec.Meta(ge=0, le=20)] | None = None
    hand: tuple[CardName, ...] | None = None
    draw_pile: tuple[CardName, ...] | None = None
    discard_pile: tuple[CardName, ...] = ()
    played: tuple[CardName, ...] = ()
    finished: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    gave_up: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    speed: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None

    @property
    def has_left(self) -> bool:
        """Tell whether the car is out of the race, with a place or without."""
        return self.finished is not None or self.gave_up is not None


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mid-race position: the beginning of phase 1, or of phase 2 with the gears shifted already.

    Attributes:
        cars: In set-up order, one for each car.
        round: The round that begins.
        phase: Which phase is about to be asked.
        legend_cards: The next Legend cards, by number from 0, top first.
        are_others_turned: Whether all Legend cards not named have been turned already; else they lie,
            shuffled, below those named.
    """

    cars: tuple[CarPosition, ...]
    round: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    phase: Literal["shift", "play"] = "shift"
    legend_cards: tuple[int, ...] = ()
    are_others_turned: bool = False


class RaceSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything from which the first events of a race follow.

    Attributes:
        track: The whole track, so that a record needs no other file.
        laps: In [1, 5).
        cars: Numbered from 0 in this order.
        rules: The settings of this table.
        seed: The text that all shuffles come from; None in what clients see while the race runs.
        position: Where to begin; None: on the grid.
        rules_version: See `RULES_VERSION`.
    """

    track: TrackFacts
    laps: Annotated[int, msgspec.Meta(ge=1, le=4)]
    cars: Annotated[tuple[CarSetup, ...], msgspec.Meta(min_length=MIN_CARS, max_length=MAX_CARS)]
    rules: Rules = STANDARD
    seed: str | None = None
    position: Position | None = None
    rules_version: int = RULES_VERSION


def most_cars(track: TrackFacts, rules: Rules) -> int:
    """Give how many cars may race on a track by some rules: six, or eight by setting, if they find places."""
    return min(rules.most_cars, len(track.grid))


class BadSetup(ValueError):
    """A set-up that no race can begin from; the text names every problem."""


def make_setup(
    track: TrackFacts,
    cars: Sequence[CarSetup],
    *,
    seed: str,
    laps: int | None = None,
    rules: Rules = STANDARD,
    position: Position | None = None,
) -> RaceSetup:
    """Make a complete set-up.

    Args:
        track: A checked track.
        cars: With different names and colours; at least 2, at most `most_cars`, one at least a seat.
        seed: Any text.
        laps: None: the track's own.
        rules: The table's settings.
        position: None: the grid.

    Raises:
        BadSetup: The cars do not fit the rules or the track.
    """
    if problems := setup_problems(track, cars, seed=seed, laps=laps, rules=rules, position=position):
        raise BadSetup("; ".join(problems))
    return RaceSetup(track, laps or track.laps, _with_helmets(cars), rules, seed, position)


def setup_problems(
    track: TrackFacts,
    cars: Sequence[CarSetup],
    *,
    seed: str,
    laps: int | None,
    rules: Rules,
    position: Position | None,
) -> list[str]:
    """List everything for which `make_setup` would refuse the same values."""
    problems = []
    if problem := number_problem(len(cars), track, rules):
        problems.append(problem)
    if all(car.legend for car in cars):
        problems.append("no seat: at least one car needs a driver")
    if len({car.colour for car in cars}) < min(len(cars), len(COLOURS)):  # of more cars the number is wrong
        problems.append("two cars have the same colour")
    if len({car.name.casefold() for car in cars}) < len(cars):
        problems.append("two cars have the same name")
    if laps is not None and not 1 <= laps <= 4:
        problems.append(f"{laps} laps; a race has 1 to 4")
    if position is not None and len(position.cars) != len(cars):
        problems.append(f"the position places {len(position.cars)} cars of {len(cars)}")
    if not is_text(seed):
        problems.append(NO_TEXT)
    return problems


NO_TEXT: Final = "the seed is no text"


def is_text(seed: str) -> bool:
    """Tell whether a seed can be written down: a command line can bring bytes that are no text."""
    return not any("\ud800" <= sign <= "\udfff" for sign in seed)


def strip_helmets(cars: tuple[CarSetup, ...]) -> tuple[CarSetup, ...]:
    """Leave the Legends' helmets out where `make_setup` deals out the same ones."""
    bare = tuple(
        msgspec.structs.replace(car, legend=msgspec.structs.replace(car.legend, helmet=None))
        if car.legend
        else car
        for car in cars
    )
    return bare if _with_helmets(bare) == cars else cars


def number_problem(cars: int, track: TrackFacts, rules: Rules) -> str | None:
    """Say what is wrong with a number of cars (RACE-3), None where it is right."""
    most = most_cars(track, rules)
    if MIN_CARS <= cars <= most:
        return None
    count = "1 car" if cars == 1 else f"{cars} cars"
    problem = f"{count}; a race on {track.name} has {MIN_CARS} to {most}"
    if most < cars <= min(MAX_CARS, len(track.grid)):
        problem += f", and up to {min(MAX_CARS, len(track.grid))} by the setting most_cars=8"
    return problem


def _with_helmets(cars: Sequence[CarSetup]) -> tuple[CarSetup, ...]:
    """Deal helmets to the Legends that have none: their colour's where free, else the first free one."""
    wanted = {car.colour for car in cars if car.legend}
    free: list[Helmet] = [helmet for helmet in HELMETS if helmet not in wanted]
    result = []
    for car in cars:
        if car.legend and car.legend.helmet is None:
            if car.colour in HELMETS:
                helmet: Helmet = car.colour
            else:
                free = free or list(HELMETS)
                helmet = free.pop(0)
            legend = msgspec.structs.replace(car.legend, helmet=helmet)
            car = msgspec.structs.replace(car, legend=legend)
        result.append(car)
    return tuple(result)
