"""What is chosen before a race or a championship, and what follows from it.

`TableOptions` holds what every table has, in a room of a server and at one keyboard alike. `RoomOptions` and
`LocalOptions` add what only one of the two has. Messages carry the first, a position file has the fields of
`RaceOptions`. `heat_core.options.option_table` describes each option for people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias, TypeVar, cast

import msgspec

from heat_core.drivers import BotName
from heat_core.options.settings import (
    RACE_SETTINGS,
    SETTINGS,
    BadSetting,
    Setting,
    changes_of,
    make_rules,
)
from heat_core.race.presets import PRESETS, LegendLevel, PresetName, Rules
from heat_core.race.setup import (
    MAX_CARS,
    MIN_CARS,
    USUAL_CARS,
    WITH_EXPANSION,
    BadSetup,
    CarSetup,
    Colour,
    GarageName,
    Modules,
    RaceSetup,
    make_setup,
)
from heat_core.season.setup import RACES_OF_A_SEASON, PlannedRace, SeasonSetup, make_season, plan_year
from heat_core.track_facts import TrackFacts

MOST_LAPS: Final = 4
MOST_SETTINGS: Final = 16
NO_CLOCK: Final = 0
"""As the time for a decision: it may take as long as it takes."""
LEAST_TURN_MILLISECONDS: Final = 50
MOST_TURN_MILLISECONDS: Final = 24 * 60 * 60 * 1000

TrackId: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,32}\Z")]
SettingWord: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]

USUAL_BOT: Final[BotName] = "normal"
"""Drives where a bot is wished for and none is named."""

AwayDriver: TypeAlias = Literal["defaults", "easy", "normal", "steady"]
"""Who drives for somebody who is away: the defaults of the rules, or a bot."""

_TurnTime: TypeAlias = Annotated[int, msgspec.Meta(ge=NO_CLOCK, le=MOST_TURN_MILLISECONDS)]
_GraceTime: TypeAlias = Annotated[int, msgspec.Meta(ge=LEAST_TURN_MILLISECONDS, le=MOST_TURN_MILLISECONDS)]


class SeasonOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a championship of a race.

    Attributes:
        year: A printed season; None: on `tracks`.
        tracks: 3 or 4, in order; ignored for a printed season.
        events: Whether each race on a chosen track draws an event card.
        sponsorships: Whether there are Sponsorship cards.
    """

    year: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    tracks: Annotated[tuple[TrackId, ...], msgspec.Meta(max_length=RACES_OF_A_SEASON[-1])] = ()
    events: bool = False
    sponsorships: bool = False


class RaceOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a race is raced, whoever drives: what a position file says too.

    Attributes:
        laps: Of each race; None: the track's own.
        rules: The preset.
        settings: What differs from it: name -> word of its value, as in `heat_core.options.settings`.
        garage: Which upgrades are drafted before the race.
        expansion: Whether the expansion's upgrades are among them.
    """

    laps: Annotated[int, msgspec.Meta(ge=1, le=MOST_LAPS)] | None = None
    rules: PresetName = "standard"
    settings: Annotated[Mapping[SettingWord, SettingWord], msgspec.Meta(max_length=MOST_SETTINGS)] = {}
    garage: GarageName = "none"
    expansion: bool = False


class TableOptions(RaceOptions, frozen=True, kw_only=True):
    """What every table is made from.

    Attributes:
        track: Identifier of a track; ignored in a championship.
        level: How Legends drive.
        weather: Whether there are weather and road tokens.
        season: None: a single race.
    """

    track: TrackId = "usa"
    level: LegendLevel = "medium"
    weather: bool = False
    season: SeasonOptions | None = None


class RoomOptions(TableOptions, frozen=True, kw_only=True):
    """What the host of a room settles before the race.

    Attributes:
        cars: How many places the room has.
        legends: How many of the places that are still empty at the start Legends take.
        turn_milliseconds: How long each decision may take; `NO_CLOCK`: as long as it takes; None: what the
            server sets.
        grace_milliseconds: How long the others wait for somebody whose connection is gone; None: the same.
        away_driver: Who drives for those who are away; None: whom the server sets, which it then names.
        advice: Whether drivers may ask their own program for advice; a client that shows some respects it.
    """

    cars: Annotated[int, msgspec.Meta(ge=MIN_CARS, le=MAX_CARS)] = USUAL_CARS
    legends: Annotated[int, msgspec.Meta(ge=0, lt=MAX_CARS)] = 0
    turn_milliseconds: _TurnTime | None = None
    grace_milliseconds: _GraceTime | None = None
    away_driver: AwayDriver | None = None
    advice: bool = False


class LocalOptions(TableOptions, frozen=True, kw_only=True):
    """What is settled before a race around one keyboard. Tracks may be files here.

    Attributes:
        names: The people, in the order of their seats; as typed.
        colour: Of the first of them.
        legends: None: as many as usual.
        bots: The level of each.
        bot: The level of those that are only counted.
        seed: None: drawn from the system.
        are_friends: Whether several people race who like to see each other: fewer Legends are usual then.
    """

    names: tuple[str, ...] = ()
    colour: Colour = "red"
    legends: Annotated[int, msgspec.Meta(ge=0, lt=MAX_CARS)] | None = None
    bots: Annotated[tuple[BotName, ...], msgspec.Meta(max_length=MAX_CARS - 1)] = ()
    bot: BotName = USUAL_BOT
    seed: str | None = None
    are_friends: bool = False


Chosen = TypeVar("Chosen", bound=TableOptions)
FindTrack: TypeAlias = Callable[[str], TrackFacts]


# --- what options come to -----------------------------------------------------------------------------------


def rules_of(options: RaceOptions) -> Rules:
    """Make the rules that options name.

    Raises:
        BadSetting: There is no such setting or value.
    """
    return make_rules(options.rules, options.settings)


def shown_rules(options: RaceOptions) -> Rules:
    """Make rules to be shown: a server that names settings which are none does not end the client."""
    try:
        return rules_of(options)
    except BadSetting:
        return PRESETS[options.rules]


def settings_of(options: TableOptions) -> Sequence[Setting]:
    """List the settings that mean something in a race or a championship."""
    return RACE_SETTINGS if options.season is None else SETTINGS


def modules_of(options: TableOptions) -> Modules:
    """Say what there is besides the base game.

    Raises:
        BadSetup: The expansion has no garage to go into, and no championship either.
    """
    season = options.season
    if season is None and options.expansion and options.garage not in WITH_EXPANSION:
        raise BadSetup("the upgrades of the expansion need the garage advanced or mixed")
    return Modules(
        options.garage,
        options.expansion,
        weather=options.weather,
        sponsorships=season is not None and season.sponsorships,
    )


def plan_races(options: TableOptions, find_track: FindTrack) -> tuple[PlannedRace, ...]:
    """Plan what options name: one race, or those of a championship.

    Args:
        find_track: Gives a track by its name, or raises an error of its own.
    """
    season = options.season
    if season is None:
        return (PlannedRace(find_track(options.track), options.laps),)
    if season.year is not None:
        return plan_year(season.year, find_track, options.laps)
    return tuple(PlannedRace(find_track(track), options.laps) for track in season.tracks)


def set_up_race(
    options: TableOptions, cars: Sequence[CarSetup], *, seed: str, find_track: FindTrack
) -> RaceSetup:
    """Make the set-up of a single race; errors as of `make_setup`, `rules_of` and `find_track`."""
    return make_setup(
        find_track(options.track),
        cars,
        seed=seed,
        laps=options.laps,
        rules=rules_of(options),
        modules=modules_of(options),
    )


def set_up_season(
    options: TableOptions, cars: Sequence[CarSetup], *, seed: str, find_track: FindTrack
) -> SeasonSetup:
    """Make the set-up of a championship; errors as of `make_season`, `rules_of` and `find_track`."""
    assert options.season is not None
    return make_season(
        plan_races(options, find_track),
        cars,
        seed=seed,
        rules=rules_of(options),
        modules=modules_of(options),
        draws_events=options.season.events and options.season.year is None,
    )


# --- reading and changing -----------------------------------------------------------------------------------

SINGLE: Final = "none"
"""In place of a season: a single race."""

OWN_TRACKS: Final = "own"
"""In place of a season's year: tracks of your own choice."""

RACES: Final = tuple(f"race{number}" for number in range(1, RACES_OF_A_SEASON[-1] + 1))
"""What the track of each race of such a season is called."""

_FIRST_TRACKS: Final = ("usa", "gb", "italy")
"""What a championship on tracks of your own begins with."""


def value_in(options: TableOptions, field: str) -> object:
    """Give the value that a field has.

    Args:
        field: Of `TableOptions`, of a struct made from it or of `SeasonOptions`; or one of `RACES`. `garage`
            means both fields of the garage, and `season` is a word here.
    """
    season = options.season
    match field:
        case "garage":
            return options.garage, options.expansion
        case "season":
            return SINGLE if season is None else OWN_TRACKS if season.year is None else str(season.year)
        case "events" | "sponsorships":
            return season is not None and getattr(season, field)
        case _ if field in RACES:
            return _tracks_of(season)[RACES.index(field)]
    return getattr(options, field)


def is_used(options: TableOptions, field: str) -> bool:
    """Tell whether a field means something beside the others; see `value_in`."""
    season = options.season
    if field == "track":
        return season is None
    if field == "events" or field in RACES:
        return season is not None and season.year is None
    return field != "sponsorships" or season is not None


def change(options: Chosen, field: str, value: object) -> Chosen:
    """Give a field another value, and take back what is impossible beside it.

    Args:
        field: See `value_in`.
        value: One of those that `heat_core.options.option_table` has for it.
    """
    fields: dict[str, object]
    match field:
        case "garage":
            fields = dict(zip(("garage", "expansion"), cast("tuple[str, bool]", value), strict=True))
        case "rules":
            fields = {"rules": value, "settings": {}}
        case "bot" if isinstance(options, LocalOptions):
            fields = {"bot": value, "bots": (value,) * len(options.bots)}
        case _ if field in SeasonOptions.__struct_fields__ or field in ("season", *RACES):
            fields = {"season": _changed_season(options.season, field, value)}
        case _:
            fields = {field: value}
    return _fitted(msgspec.structs.replace(options, **fields))


def with_rules(options: Chosen, rules: Rules) -> Chosen:
    """Give options other rules, and take back what is impossible beside them."""
    return _fitted(msgspec.structs.replace(options, rules=rules.preset, settings=changes_of(rules)))


def _fitted(options: Chosen) -> Chosen:
    """Take back as many places and Legends of a room as its rules have no room for."""
    if not isinstance(options, RoomOptions):
        return options
    cars = min(options.cars, shown_rules(options).most_cars)
    return msgspec.structs.replace(options, cars=cars, legends=min(options.legends, cars - 1))


def _tracks_of(season: SeasonOptions | None) -> list[str]:
    """List the track of each race, "" where there is no such race."""
    tracks = () if season is None else season.tracks
    return [*tracks, *[""] * (len(RACES) - len(tracks))]


def _changed_season(season: SeasonOptions | None, field: str, value: object) -> SeasonOptions | None:
    """Change a championship; None: it is a single race.

    Args:
        value: Of the field `season` a word of its values, or the tracks of the races.
    """
    if field != "season":
        if season is None:
            return None  # the championship that the option belonged to is gone
        if field not in RACES:
            return msgspec.structs.replace(season, **{field: value})
        tracks = _tracks_of(season)
        tracks[RACES.index(field)] = cast(str, value)
        return msgspec.structs.replace(season, tracks=tuple(track for track in tracks if track))
    before = season or SeasonOptions()
    if value == SINGLE:
        return None
    if value == OWN_TRACKS:
        return SeasonOptions(None, _FIRST_TRACKS, events=True, sponsorships=before.sponsorships)
    if isinstance(value, tuple):
        return SeasonOptions(None, value, before.events, before.sponsorships)
    return SeasonOptions(int(cast(str, value)), sponsorships=before.sponsorships)
