"""From what a player chose to a table or a championship: names, colours, bots and Legends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from heat_core.bots import BotName, DriverName
from heat_core.files import load_track, new_seed, read_position, shown_path
from heat_core.names import BadName, clean_name, name_key
from heat_core.positions import BadPosition, make_position
from heat_core.presets import LEGEND_LEVELS, STANDARD, LegendLevel, Rules
from heat_core.season import Season
from heat_core.season_setup import YEARS, PlannedRace, make_season, plan_year
from heat_core.setup import (
    BASE_GAME,
    COLOURS,
    NO_TEXT,
    BadSetup,
    CarSetup,
    Colour,
    LegendSetup,
    Modules,
    is_text,
    make_setup,
    most_cars,
    number_problem,
)
from heat_core.table import Table
from heat_core.track import TrackFacts
from heat_tui.state import DEFAULT_NAME

BOT_NAMES: Final = ("Nina", "Otto", "Rosa", "Hugo", "Ines", "Juri", "Lena", "Marc")
LEGEND_NAMES: Final = ("Legend 1", "Legend 2", "Legend 3", "Legend 4", "Legend 5", "Legend 6", "Legend 7")


class GridWishes(msgspec.Struct, frozen=True):
    """Who drives, and by which rules: the same for one race and for a championship.

    Attributes:
        names: The people, in the order of their seats; as typed.
        colour: Of the first of them.
        legends: None: as many as may race besides the others.
        seed: None: drawn from the system.
    """

    names: tuple[str, ...] = (DEFAULT_NAME,)
    colour: Colour = "red"
    legends: int | None = None
    level: LegendLevel = "medium"
    bots: int = 0
    bot: BotName = "steady"
    rules: Rules = STANDARD
    seed: str | None = None
    modules: Modules = BASE_GAME


class Wishes(GridWishes, frozen=True, kw_only=True):
    """What a race in this terminal is made from.

    Attributes:
        track: By its identifier or path, or all that its file says.
        laps: None: the track's own.
    """

    track: str | TrackFacts = "usa"
    laps: int | None = None


class SeasonWishes(GridWishes, frozen=True, kw_only=True):
    """What a championship in this terminal is made from.

    Attributes:
        year: A printed season, None for tracks of one's own choice.
        tracks: Those, 3 or 4, each as in `Wishes`; of no account for a printed season.
        laps: Of each race; None: the tracks' own.
        draws_events: Whether each race on a chosen track draws an event.
    """

    year: int | None = YEARS[0]
    tracks: tuple[str | TrackFacts, ...] = ()
    laps: int | None = None
    draws_events: bool = False


def make_table(wishes: Wishes) -> Table:
    """Make the table of a race.

    Raises:
        BadTrack: There is no such track, or its file is wrong.
        BadName: A name cannot be shown, or two are the same.
        BadSetup: The cars do not fit; the text says how.
    """
    track = _facts_of(wishes.track)
    cars, drivers = fill_grid(wishes, [track])
    setup = make_setup(
        track,
        cars,
        seed=wishes.seed or new_seed(),
        laps=wishes.laps,
        rules=wishes.rules,
        modules=wishes.modules,
    )
    return Table(setup, drivers)


def make_season_of(wishes: SeasonWishes) -> Season:
    """Make a championship that begins.

    Raises:
        BadTrack: There is no such track, or its file is wrong.
        BadName: A name cannot be shown, or two are the same.
        BadSetup: Races or cars do not fit; the text says how.
    """
    races = plan_races(wishes.year, wishes.tracks, wishes.laps)
    cars, drivers = fill_grid(wishes, [race.track for race in races])
    setup = make_season(
        races,
        cars,
        seed=wishes.seed or new_seed(),
        rules=wishes.rules,
        modules=wishes.modules,
        draws_events=wishes.draws_events,
    )
    return Season(setup, drivers)


def plan_races(
    year: int | None, tracks: Sequence[str | TrackFacts], laps: int | None
) -> tuple[PlannedRace, ...]:
    """Plan the races of a championship; the arguments are those of `SeasonWishes`.

    Raises:
        BadTrack: There is no such track, or its file is wrong.
    """
    if year is not None:
        return plan_year(year, load_track, laps)
    return tuple(PlannedRace(_facts_of(track), laps) for track in tracks)


def _facts_of(track: str | TrackFacts) -> TrackFacts:
    return load_track(track) if isinstance(track, str) else track


def fill_grid(
    wishes: GridWishes, tracks: Sequence[TrackFacts]
) -> tuple[list[CarSetup], dict[int, DriverName]]:
    """Give everybody a car: people first, then bots, then Legends.

    Args:
        tracks: That they all must find places on.

    Returns:
        The cars, and who drives those that are seats.

    Raises:
        BadName: A name cannot be shown, or two are the same.
        BadSetup: There are too many cars or too few; the text says how.
    """
    names = clean_names(wishes.names)
    colours = [wishes.colour, *(colour for colour in COLOURS if colour != wishes.colour)]
    legends = wishes.legends
    if legends is None:
        most = min((most_cars(track, wishes.rules) for track in tracks), default=wishes.rules.most_cars)
        legends = usual_legends(most, len(names), wishes.bots)
    for track in tracks:
        if problem := number_problem(len(names) + wishes.bots + legends, track, wishes.rules):
            raise BadSetup(problem)
    bots = _free_names(BOT_NAMES, names)[: wishes.bots]
    names = [*names, *bots]
    cars = [CarSetup(name, colour) for name, colour in zip(names, colours, strict=False)]
    bonus, chevrons = LEGEND_LEVELS[wishes.level]
    for name in _free_names(LEGEND_NAMES, names)[:legends]:
        cars.append(CarSetup(name, colours[len(cars)], LegendSetup(bonus, chevrons)))
    drivers: dict[int, DriverName] = {
        seat: "human" if seat < len(wishes.names) else wishes.bot for seat in range(len(names))
    }
    return cars, drivers


def usual_legends(most: int, people: int, bots: int, *, are_friends: bool = False) -> int:
    """Say how many Legends race where nobody says anything of them.

    Args:
        most: How many cars may race in all.
        are_friends: Whether several people race around one keyboard, who like to see each other.
    """
    room = max(0, most - people - bots)
    return min(_LEGENDS_BESIDE_FRIENDS, room) if are_friends else room


def make_table_at(path: Path, seed: str | None = None) -> Table:
    """Make the table of a position file: the first seat that races is the player's, unless it says otherwise.

    Args:
        path: The file.
        seed: For a file that names none; None: drawn from the system.

    Raises:
        BadPosition: It cannot be read or is wrong; the text names the file and the first problems.
        BadSetup: The seed is no text, or the file names one itself.
    """
    try:
        file = read_position(path)
        drivers = file.all_drivers(has_player=True)
    except BadPosition as error:
        name = shown_path(path)
        first, *others = (fault.removeprefix(f"{name}: ") for fault in error.faults)
        told = [f"{name}: {first}", *others[: _MOST_PROBLEMS - 1]]
        if len(told) <= len(others):
            told.append("`python -m heat_core check-position` names the other problems")
        raise BadPosition(told) from None
    if seed and not is_text(seed):
        raise BadSetup(NO_TEXT)
    if file.setup.seed:
        if seed:
            raise BadSetup("The position file says that itself: leave out --seed.")
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
    """Make that table for whoever learns here: under the usual name where theirs cannot be."""
    try:
        return make_lesson(name, colour)
    except BadName:
        return make_lesson(DEFAULT_NAME, colour)


def clean_names(typed: Sequence[str]) -> list[str]:
    """Make names of what people typed.

    Raises:
        BadName: One cannot be shown, or two are the same.
    """
    names = [clean_name(name) for name in typed]
    if len({name_key(name) for name in names}) < len(names):
        raise BadName("Two drivers have the same name.")
    return names


def _free_names(offered: Sequence[str], taken: Sequence[str]) -> list[str]:
    keys = {name_key(name) for name in taken}
    return [name for name in (*offered, "Zoe", "Theo", "Fritz") if name_key(name) not in keys]
