"""From the options that a player chose to a table or a championship: names, colours, bots and Legends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from heat_core.bot_names import bot_name
from heat_core.drivers import DriverName
from heat_core.files import load_track, new_seed, shown_path
from heat_core.game_files import read_position
from heat_core.names import BadName, clean_names, name_key
from heat_core.options.table_options import (
    FindTrack,
    LocalOptions,
    plan_races,
    rules_of,
    set_up_race,
    set_up_season,
)
from heat_core.positions.position import BadPosition, make_position
from heat_core.race.presets import LEGEND_LEVELS, Rules
from heat_core.race.setup import (
    COLOURS,
    MIN_CARS,
    BadSetup,
    CarSetup,
    Colour,
    LegendSetup,
    most_cars,
    number_problem,
    seed_problem,
)
from heat_core.season.setup import PlannedRace
from heat_core.season.state import Season
from heat_core.table import Table
from heat_core.track_facts import TrackFacts
from heat_tui.state import DEFAULT_NAME

LEGEND_NAMES: Final = ("Legend 1", "Legend 2", "Legend 3", "Legend 4", "Legend 5", "Legend 6", "Legend 7")


def make_table(options: LocalOptions, find_track: FindTrack = load_track) -> Table:
    """Make the table of a race.

    Args:
        find_track: Gives a track by its name, or raises `BadTrack`.

    Raises:
        BadTrack: There is no such track, or its file is wrong.
        BadName: A name cannot be shown, or two are the same.
        BadSetup: Cars or modules do not fit; the text says how.
    """
    seed = options.seed or new_seed()
    cars, drivers = _fill_grid(options, plan_races(options, find_track), seed)
    setup = set_up_race(options, cars, seed=seed, find_track=find_track)
    return Table(setup, drivers)


def make_season_of(options: LocalOptions, find_track: FindTrack = load_track) -> Season:
    """Make a championship that begins; argument and errors as of `make_table`."""
    seed = options.seed or new_seed()
    cars, drivers = _fill_grid(options, plan_races(options, find_track), seed)
    setup = set_up_season(options, cars, seed=seed, find_track=find_track)
    return Season(setup, drivers)


def cars_problem(cars: int, track: TrackFacts, rules: Rules) -> str | None:
    """Say what is wrong with a number of cars and what helps against too few; None where it is right."""
    problem = number_problem(cars, track, rules)
    return f"{problem}; add Legends or bots" if problem and cars < MIN_CARS else problem


def _fill_grid(
    options: LocalOptions, races: Sequence[PlannedRace], seed: str
) -> tuple[list[CarSetup], dict[int, DriverName]]:
    """Give everybody a car on all tracks, people first, then bots, then Legends; and each seat a driver."""
    names = clean_names(options.names)
    colours = colours_of(options)
    tracks = [race.track for race in races]
    legends = legends_of(options, tracks)
    for track in tracks:
        if problem := cars_problem(len(names) + len(options.bots) + legends, track, rules_of(options)):
            raise BadSetup(problem)
    for level in options.bots:
        names.append(bot_name(level, len(names), seed, names))
    cars = [CarSetup(name, colour) for name, colour in zip(names, colours, strict=False)]
    bonus, chevrons = LEGEND_LEVELS[options.level]
    for name in _free_names(LEGEND_NAMES, names)[:legends]:
        cars.append(CarSetup(name, colours[len(cars)], LegendSetup(bonus, chevrons)))
    people: list[DriverName] = ["human"] * len(options.names)
    return cars, dict(enumerate([*people, *options.bots]))


def colours_of(options: LocalOptions) -> list[Colour]:
    """List the colours in the order in which cars get them."""
    return [options.colour, *(colour for colour in COLOURS if colour != options.colour)]


def legends_of(options: LocalOptions, tracks: Sequence[TrackFacts] = ()) -> int:
    """Say how many Legends race: as many as find places, where nobody says anything of them.

    Args:
        tracks: That all cars must find places on.
    """
    if options.legends is not None:
        return options.legends
    rules = rules_of(options)
    most = min((most_cars(track, rules) for track in tracks), default=rules.most_cars)
    room = max(0, most - len(options.names) - len(options.bots))
    return min(_LEGENDS_BESIDE_FRIENDS, room) if options.are_friends else room


def make_table_at(path: Path, seed: str | None = None) -> Table:
    """Make the table of a position file: the first seat that races is the player's, unless it says otherwise.

    Args:
        path: The file.
        seed: For a file that names none; None: drawn from the system.

    Raises:
        BadPosition: It cannot be read or is wrong; the text names the file and the first problems.
        BadSetup: The seed cannot be written down, or the file names one itself.
    """
    try:
        file = read_position(path)
        drivers = file.all_drivers(has_player=True)
    except BadPosition as error:
        name = shown_path(path)
        first, *others = (fault.removeprefix(f"{name}: ") for fault in error.faults)
        told = [f"{name}: {first}", *others[: _MOST_PROBLEMS - 1]]
        if len(told) <= len(others):
            told.append("`python -m heat_core check-position` lists the other problems")
        raise BadPosition(told) from None
    if seed and (problem := seed_problem(seed)):
        raise BadSetup(problem)
    if file.setup.seed:
        if seed:
            raise BadSetup("The position file sets the seed. Leave out --seed.")
        return Table(file.setup, drivers)
    return Table(msgspec.structs.replace(file.setup, seed=seed or new_seed()), drivers)


_LEGENDS_BESIDE_FRIENDS: Final = 2

_MOST_PROBLEMS: Final = 3

_LESSON_CARS: Final = {
    "": "lap 1 space 22 gear 2 engine 5 hand 1 2 3 4 4 stress heat",
    LEGEND_NAMES[0]: "lap 1 space 25 legend easy",
    LEGEND_NAMES[1]: "lap 1 space 24 legend easy",
}
"""Two thirds of a lap before the finish, last, with a card of each kind that must be explained."""


def make_lesson(name: str, colour: Colour) -> Table:
    """Make the table of the first race that explains itself: always the same, on USA.

    Raises:
        BadName: The name cannot be shown, or a Legend has it.
    """
    driver = clean_names([name, *LEGEND_NAMES[:2]])[0]
    others = iter([other for other in COLOURS if other != colour])
    cars = {
        car or driver: f"{words} colour {colour if not car else next(others)}"
        for car, words in _LESSON_CARS.items()
    }
    setup = make_position(load_track("usa"), cars, laps=1, round=1, seed="first race")
    return Table(setup, {0: "human"})


def own_lesson(name: str, colour: Colour) -> Table:
    """Make that table for a learner: under a default name where theirs is not possible."""
    try:
        return make_lesson(name, colour)
    except BadName:
        return make_lesson(DEFAULT_NAME, colour)


def _free_names(offered: Sequence[str], taken: Sequence[str]) -> list[str]:
    keys = {name_key(name) for name in taken}
    return [name for name in (*offered, "Zoe", "Theo", "Fritz") if name_key(name) not in keys]
