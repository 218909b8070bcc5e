"""Positions: races that begin in the middle, for tests, puzzles and reports (CORE-15).

`make_position(track, {"ana": "lap 1 space 30 gear 3 engine 6 hand 4 3 2", "ben": "lap 1 space 31"})` is a
race that begins there. What is not named is as at the start: 1st gear, the track's Heat, cards shuffled.
`heat_core.positions.words` explains the words, docs/positions.md the files made of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from heat_core.cards import CardName
from heat_core.data.event_cards import EVENTS
from heat_core.data.weather import WeatherName
from heat_core.positions.checks import position_problems
from heat_core.positions.roads import parse_roads
from heat_core.positions.words import CarWords, parse_car
from heat_core.race import events as e
from heat_core.race.cars import Legend, Seat
from heat_core.race.phase import Phase
from heat_core.race.position_setup import CarPosition, Position
from heat_core.race.presets import STANDARD, Rules
from heat_core.race.setup import (
    BASE_GAME,
    COLOURS,
    NOTHING_CARRIED,
    BadSetup,
    Carried,
    CarSetup,
    Colour,
    Modules,
    RaceSetup,
    length_of,
    make_setup,
    setup_problems,
    sponsorship_cards,
)
from heat_core.race.state import Race
from heat_core.track import OTHER_SPOT, RACE_LINE_SPOT, compile_track
from heat_core.track_facts import TrackFacts

PHASES: Final[dict[Literal["shift", "play"], Phase]] = {"shift": Phase.SHIFT_GEARS, "play": Phase.PLAY_CARDS}
"""The phases that a position can begin with, by the word for them."""

PHASE_WORDS: Final = {phase: word for word, phase in PHASES.items()}


class BadPosition(BadSetup):
    """A position that cannot be.

    Attributes:
        faults: Everything that is wrong, each with its place and reason.
    """

    def __init__(self, faults: list[str]) -> None:
        """Name at least one fault."""
        super().__init__("; ".join(faults))
        self.faults = faults


def make_position(
    track: TrackFacts,
    cars: Mapping[str, str],
    *,
    round: int = 2,
    phase: Literal["shift", "play"] = "shift",
    laps: int | None = None,
    rules: Rules = STANDARD,
    seed: str = "position",
    legend_cards: tuple[int, ...] = (),
    are_others_turned: bool = False,
    modules: Modules = BASE_GAME,
    weather: WeatherName | None = None,
    roads: str = "",
) -> RaceSetup:
    """Build a set-up that begins in the middle of a race.

    Args:
        cars: Name -> words; see `parse_car`.
        round: The round that begins.
        phase: `play`: the gears named are shifted already, phase 2 is asked.
        legend_cards: See `Position`.
        are_others_turned: See `Position`.
        modules: What there is besides the base game; whether there is weather follows from the token.
        weather: The token; None: there is no weather.
        roads: See `heat_core.positions.roads.parse_roads`.

    Raises:
        BadPosition: A word is wrong, or the position cannot be; all problems are named.
    """
    read: dict[str, CarWords | None] = {}
    faults = []
    for name, words in cars.items():
        read[name], wrong = parse_car(words)
        faults += [f"{name}: {fault}" for fault in wrong]
    tokens, wrong = parse_roads(compile_track(track), roads)
    position = Position((), round, phase, legend_cards, are_others_turned, weather, tokens)
    return assemble(
        track,
        read,
        position,
        laps=laps,
        rules=rules,
        seed=seed,
        modules=modules,
        faults=[*faults, *wrong],
    )


def assemble(
    track: TrackFacts,
    cars: Mapping[str, CarWords | None],
    position: Position,
    *,
    laps: int | None,
    rules: Rules,
    seed: str,
    modules: Modules = BASE_GAME,
    faults: Sequence[str] = (),
) -> RaceSetup:
    """Put cars and position together, and check everything.

    Args:
        cars: By name, each without what is wrong in its words; None for one that stands nowhere.
        position: Without its cars.
        modules: Their weather is ignored; the position has it.
        faults: What was wrong with the words.

    Raises:
        BadPosition: Something is wrong; the faults given come first.
    """
    grid = [
        CarSetup(name, colour, car.legend if car else None)
        for (name, car), colour in zip(cars.items(), _colours(list(cars.values())), strict=True)
    ]
    modules = msgspec.structs.replace(modules, weather=position.weather is not None)
    problems = [
        *faults,
        *setup_problems(track, grid, seed=seed, laps=laps, rules=rules, modules=modules),
    ]
    if modules.event is not None and modules.event not in EVENTS:
        modules = msgspec.structs.replace(modules, event=None)
    placed = [(setup, car.place) for setup, car in zip(grid, cars.values(), strict=True) if car]
    position = msgspec.structs.replace(position, cars=tuple(place for _, place in placed))
    known = tuple(setup for setup, _ in placed)
    owned = tuple(car.upgrades for car in cars.values() if car)
    carried = Carried(upgrades=owned) if any(owned) else NOTHING_CARRIED
    length = length_of(laps or track.laps, modules)
    checked = RaceSetup(track, length, known, rules, seed, position, modules, carried)
    problems += position_problems(checked, is_whole=not faults)
    if problems:
        raise BadPosition(problems)
    return make_setup(
        track, grid, seed=seed, laps=laps, rules=rules, position=position, modules=modules, carried=carried
    )


def _colours(cars: Sequence[CarWords | None]) -> list[Colour]:
    """Give each car its own colour, or the first that is free; beyond the eighth car they repeat."""
    wanted = {car.colour for car in cars if car}
    free: list[Colour] = [colour for colour in COLOURS if colour not in wanted]
    colours: list[Colour] = []
    for number, car in enumerate(cars):
        if car and car.colour:
            colours.append(car.colour)
        else:
            colours.append(free.pop(0) if free else COLOURS[number % len(COLOURS)])
    return colours


def position_of(race: Race) -> Position:
    """Say where a race stands, as a position from which the same race begins.

    Args:
        race: In phase 1 or 2; choices made there so far are not part of a position.

    Raises:
        ValueError: The race is in another phase.
    """
    if race.phase not in PHASE_WORDS:
        raise ValueError(f"a position begins in phase 1 or 2, but this race is in phase {race.phase.value}")
    return Position(
        tuple(_place_of(race, number, car) for number, car in enumerate(race.cars)),
        race.round,
        PHASE_WORDS[race.phase],
        tuple(reversed(race.legend_deck)),
        any(type(car) is Legend for car in race.cars),
        race.weather,
        race.roads,
        _spent_sponsorships(race),
    )


def _spent_sponsorships(race: Race) -> tuple[CardName, ...]:
    # What has left the game is what is nowhere any more.
    rest = Counter(sponsorship_cards(race.setup)) - Counter(race.sponsorship_deck)
    for number in race.seats():
        seat = race.seat(number)
        rest -= Counter([*seat.hand, *seat.draw_pile, *seat.discard_pile, *seat.played])
    return tuple(rest.elements())


def setup_of_position(race: Race) -> RaceSetup:
    """Give the set-up of a race that begins where this one stands; see `position_of`."""
    owned = tuple(car.upgrades if type(car) is Seat else () for car in race.cars)
    carried = Carried(upgrades=owned) if any(owned) else NOTHING_CARRIED
    # The draft is over, so how it went is no part of a position.
    modules = msgspec.structs.replace(race.setup.modules, draft=BASE_GAME.draft)
    return msgspec.structs.replace(
        race.setup, position=position_of(race), modules=modules, carried=carried, season=None
    )


def _place_of(race: Race, number: int, car: Seat | Legend) -> CarPosition:
    place = CarPosition(
        lap=race.track.lap(car.progress),
        space=race.track.space(car.progress),
        spot=OTHER_SPOT if car.spot else RACE_LINE_SPOT,
        finished=race.left.index(number) + 1 if number in race.left else None,
        gave_up=race.out.index(number) + 1 if car.status == "gave_up" else None,
        spun_out=race.out.index(number) + 1 if car.status == "spun_out" else None,
    )
    if isinstance(car, Legend):
        return msgspec.structs.replace(place, speed=car.speed)
    return msgspec.structs.replace(
        place,
        gear=car.gear,
        engine=car.engine,
        hand=tuple(car.hand),
        draw_pile=tuple(reversed(car.draw_pile)),
        discard_pile=tuple(car.discard_pile),
        played=tuple(car.played),
    )


def told_position(setup: RaceSetup, events: Sequence[e.Event]) -> Position | None:
    """Read the position that a race began from out of its events, where the set-up hides it.

    Args:
        setup: The public one will do.
        events: From the first on, unmasked.

    Returns:
        A position that leads to the very same first events; None where the race began on the grid.

    Raises:
        LookupError: A seat's piles are not shown.
        ValueError: No race begins with these events.
    """
    begun = next((number for number, event in enumerate(events) if isinstance(event, e.RoundStarted)), 0)
    first = events[: begun + 2]
    placed = next((event for event in first if isinstance(event, e.PositionPlaced)), None)
    if placed is None:
        return None
    laid = next((event.order for event in first if isinstance(event, e.LegendCardsShuffled)), None)
    if len(placed.cars) != len(setup.cars):
        raise ValueError(f"{len(placed.cars)} cars are placed, but {len(setup.cars)} race")
    return Position(
        tuple(_told_car(setup, first, number, car) for number, car in enumerate(placed.cars)),
        placed.round,
        "play" if e.PhaseEntered(Phase.PLAY_CARDS) in first else "shift",
        laid or (),
        laid is not None,
        next((event.weather for event in first if isinstance(event, e.WeatherDrawn)), None),
        next((event.roads for event in first if isinstance(event, e.RoadsDrawn)), ()),
        placed.spent,
    )


def _told_car(setup: RaceSetup, first: Sequence[e.Event], number: int, car: e.PlacedCar) -> CarPosition:
    track = compile_track(setup.track)
    values: dict[str, Any] = {
        "lap": track.lap(car.progress),
        "space": track.space(car.progress),
        "spot": car.spot,
        "gear": car.gear,
        "finished": car.place if car.status == "left" else None,
        "gave_up": car.place if car.status == "gave_up" else None,
        "spun_out": car.place if car.status == "spun_out" else None,
        "speed": car.speed,
        "played": car.played,
    }
    if not setup.cars[number].legend:
        made = {event.seat: event for event in first if isinstance(event, e.PilesMade)}[number]
        drawn = [event for event in first if isinstance(event, e.CardsDrawn) and event.seat == number]
        hand = tuple(card for event in drawn for card in event.cards or ())
        pile = made.draw_pile or ()
        values |= {"engine": made.engine, "discard_pile": made.discard_pile, "draw_pile": pile}
        most = setup.hand_size if car.status == "racing" else 0
        if len(hand) != min(most, made.cards + len(made.discard_pile)):
            values |= {"hand": hand, "draw_pile": pile[len(hand) :]}
    return msgspec.convert(values, CarPosition)
