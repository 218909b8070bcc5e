"""The options of a table, described once: names, words, labels, help, values.

Command lines, forms, the rows of a lobby and typed lines are made from these. A new option is a field in
`heat_core.options.table_options`, a line here, and its place in `ROOM_OPTIONS`, `LOCAL_RACE_OPTIONS` or both.
"""

from __future__ import annotations

from typing import Final, cast

from heat_core.drivers import BOT_LEVELS, BotName
from heat_core.options.option import (
    BOTS_TYPED,
    USUAL,
    BadOption,
    Option,
    TrackNames,
    number_values,
    read_bots,
    read_names,
    read_seconds,
    read_seed,
    read_setting,
    switch_values,
    time_label,
    time_values,
    word_values,
)
from heat_core.options.settings import Value
from heat_core.options.table_options import (
    MOST_LAPS,
    NO_CLOCK,
    OWN_TRACKS,
    RACES,
    SINGLE,
    LocalOptions,
    RoomOptions,
    TableOptions,
    shown_rules,
    value_in,
)
from heat_core.race.presets import LEGEND_LEVELS, PRESETS
from heat_core.race.setup import COLOURS, GARAGES, MAX_CARS, MIN_CARS, WITH_EXPANSION
from heat_core.season.setup import RACES_OF_A_SEASON, YEARS
from heat_core.text import listed

# --- reading that needs the table ---------------------------------------------------------------------------


def _read_bots(typed: str, options: TableOptions, tracks: TrackNames) -> tuple[BotName, ...]:
    assert isinstance(options, LocalOptions)
    bots = read_bots(typed, options.bot)
    if len(bots) > most_beside(BOTS, options):
        raise BadOption(f"bots can be {choices_told(BOTS, options, tracks)}.")
    return bots


def _read_some_tracks(typed: str, options: TableOptions, tracks: TrackNames) -> list[object]:
    """Read one name, which may have blanks, or several names without any."""
    try:
        return [read(TRACK, typed.strip(), options, tracks)]
    except BadOption:
        return [read(TRACK, name, options, tracks) for name in typed.split()]


def _read_tracks(typed: str, options: TableOptions, tracks: TrackNames) -> tuple[str, ...]:
    try:
        chosen = [track for part in typed.split(",") for track in _read_some_tracks(part, options, tracks)]
    except BadOption:
        chosen = []
    if len(chosen) not in RACES_OF_A_SEASON:
        choices = choices_told(SEASON, options, tracks)
        raise BadOption(f"season can be {choices}. The tracks are {', '.join(tracks.values())}.")
    return tuple(cast("list[str]", chosen))


# --- the table ----------------------------------------------------------------------------------------------

TRACK: Final = Option("track", "track", "Track", "a board of the game, or a track of your own")
LAPS: Final = Option(
    "laps",
    "laps",
    "Laps",
    "number of laps in each race, if not the track's own",
    (Value(USUAL, None, "as printed"), *number_values(1, MOST_LAPS)),
)
PLACES: Final = Option(
    "cars", "places", "Places", "number of places in the room", number_values(MIN_CARS, MAX_CARS)
)
FILL: Final = Option(
    "legends",
    "legends",
    "Empty places",
    "how many empty places Legends take when the race starts",
    (
        Value("0", 0, "stay empty"),
        *(Value(str(n), n, f"up to {n} Legend{'s' if n > 1 else ''}") for n in range(1, MAX_CARS)),
    ),
)
LEGENDS: Final = Option(
    "legends",
    "legends",
    "Legends",
    "number of Legends (automated cars)",
    (Value(USUAL, None, "default"), *number_values(0, MAX_CARS - 1)),
)
LEVEL: Final = Option("level", "level", "Legend level", "how well Legends drive", word_values(*LEGEND_LEVELS))
BOTS: Final = Option(
    "bots",
    "bots",
    "Bots",
    "bots (opponents who play cards as you do): how many, or their levels",
    number_values(0, MAX_CARS - 1),
    f"levels such as {BOTS_TYPED}",
    _read_bots,
)
"""Its value is the level of each: `values_of` makes that of a number."""

BOT: Final = Option("bot", "bot", "Bot level", "how well all bots drive", word_values(*BOT_LEVELS))
NAMES: Final = Option(
    "names", "names", "Drivers", "who drives", others="names, separated by commas", read=read_names
)
COLOUR: Final = Option("colour", "colour", "First car", "colour of the first car", word_values(*COLOURS))
SEED: Final = Option(
    "seed",
    "seed",
    "Seed",
    "any text, to deal the same cards again",
    (Value("none", None, "random"),),
    "any text",
    read_seed,
)
RULES: Final = Option("rules", "rules", "Rules", "which rules to use", word_values(*PRESETS))
SETTING: Final = Option(
    "settings",
    "rule",
    "Settings",
    "change one rule",
    others="name=value, such as hand_size=8, or nothing to list the names",
    read=read_setting,
)
GARAGE: Final = Option(
    "garage",
    "garage",
    "Garage",
    "which upgrades to draft before the race",
    (
        Value("none", ("none", False), "none"),
        *(Value(name, (name, False), f"{name} upgrades") for name in GARAGES if name != "none"),
        *(Value(f"{name} expansion", (name, True), f"{name}, expansion") for name in WITH_EXPANSION),
    ),
)
"""Its value is that of two fields: `garage` and `expansion`."""

WEATHER: Final = Option(
    "weather", "weather", "Weather", "add weather and road tokens", switch_values("weather, road tokens")
)
TURN_TIME: Final = Option(
    "turn_milliseconds",
    "time",
    "Turn time",
    "seconds for each decision",
    (*time_values(15, 30, 60, 90, 120, 300, 3600), Value("none", NO_CLOCK, "no clock")),
    "any number",
    read_seconds,
)
GRACE_TIME: Final = Option(
    "grace_milliseconds",
    "grace",
    "Wait if away",
    "seconds that the race waits for a driver who lost the connection",
    time_values(5, 10, 20, 60, 120, 300, 3600),
    "any number",
    read_seconds,
)
AWAY_DRIVER: Final = Option(
    "away_driver",
    "away",
    "Away driver",
    "who drives for players who are away",
    (
        Value(USUAL, None, "server default"),
        Value("defaults", "defaults", "simple choices"),
        Value("easy", "easy", "an easy bot"),
        Value("normal", "normal", "a normal bot"),
        Value("steady", "steady", "a steady bot"),
    ),
)
ADVICE: Final = Option(
    "advice",
    "advice",
    "Advice",
    "let drivers ask for advice in the race",
    (Value("off", False, "not allowed"), Value("on", True, "allowed")),
)
SEASON: Final = Option(
    "season",
    "season",
    "Championship",
    "a championship: a printed season, or tracks of your choice",
    (
        Value(SINGLE, SINGLE, "none"),
        *(Value(str(year), str(year), str(year)) for year in YEARS),
        Value(OWN_TRACKS, OWN_TRACKS, "tracks of your choice"),
    ),
    "3 or 4 tracks",
    _read_tracks,
)
RACE_TRACKS: Final = tuple(
    Option(race, race, f"Race {number}", "where to race") for number, race in enumerate(RACES, start=1)
)
EVENTS: Final = Option(
    "events",
    "events",
    "Events",
    "draw an event card for each race on tracks of your choice",
    switch_values("a card for each race"),
)
SPONSORSHIPS: Final = Option(
    "sponsorships",
    "sponsorships",
    "Sponsorships",
    "add Sponsorship cards",
    switch_values("Sponsorship cards"),
)

ROOM_OPTIONS: Final = (
    TRACK, LAPS, PLACES, FILL, LEVEL, RULES, SETTING, GARAGE, WEATHER,
    TURN_TIME, GRACE_TIME, AWAY_DRIVER, ADVICE, SEASON, EVENTS, SPONSORSHIPS,
)  # fmt: skip
"""Those of a room, in the order in which they are shown."""

_DRIVERS: Final = (LEGENDS, LEVEL, BOTS, BOT, NAMES, COLOUR)
LOCAL_RACE_OPTIONS: Final = (TRACK, LAPS, *_DRIVERS, GARAGE, WEATHER, RULES, SETTING, SEED)
LOCAL_SEASON_OPTIONS: Final = (SEASON, EVENTS, SPONSORSHIPS, *LOCAL_RACE_OPTIONS[1:])


# --- reading and changing -----------------------------------------------------------------------------------


def options_for(options: TableOptions) -> tuple[Option, ...]:
    """List what can be chosen in a room, for a race or for a championship."""
    if isinstance(options, RoomOptions):
        return ROOM_OPTIONS
    return LOCAL_RACE_OPTIONS if options.season is None else LOCAL_SEASON_OPTIONS


def values_of(option: Option, options: TableOptions, tracks: TrackNames) -> tuple[Value, ...]:
    """List the values to choose from, beside the other options."""
    if option is TRACK or option in RACE_TRACKS:
        at_hand = tuple(Value(track, track, name) for track, name in tracks.items())
        may_be_left_out = option in RACE_TRACKS[RACES_OF_A_SEASON[0] :]
        return (*at_hand, Value("", "", "none")) if may_be_left_out else at_hand
    if option is SEASON and isinstance(options, LocalOptions):
        return option.values[1:]  # no single race is made of a championship here
    if option in (PLACES, FILL, LEGENDS, BOTS):
        most = most_beside(option, options)
        fitting = [value for value in option.values if value.value is None or cast(int, value.value) <= most]
        if option is BOTS and isinstance(options, LocalOptions):
            return tuple(value._replace(value=(options.bot,) * cast(int, value.value)) for value in fitting)
        return tuple(fitting)
    present = value_in(options, option.field) if option in (TURN_TIME, GRACE_TIME) else None
    if isinstance(present, int) and all(value.value != present for value in option.values):
        return (*option.values, Value(f"{present / 1000:g}", present, time_label(present / 1000)))
    return option.values


def most_beside(option: Option, options: TableOptions) -> int:
    """Give the most places, Legends or bots that fit beside the other options."""
    cars = shown_rules(options).most_cars
    if isinstance(options, RoomOptions):
        return cars if option is PLACES else options.cars - 1
    assert isinstance(options, LocalOptions)
    others = len(options.bots) if option is LEGENDS else options.legends or 0
    return max(0, cars - max(1, len(options.names)) - others)


def read(option: Option, typed: str, options: TableOptions, tracks: TrackNames) -> object:
    """Make a value of what was typed: the word or the label of a value, in any letter case.

    Raises:
        BadOption: The option cannot have that value beside the others.
        BadName: A name cannot be shown, or two are the same.
    """
    values = values_of(option, options, tracks)
    for value in values:
        if typed.casefold() in (value.word.casefold(), value.label.casefold()):
            return value.value
    if option.read is not None and (typed or not values):
        return option.read(typed, options, tracks)
    raise BadOption(f"{option.word} can be {choices_told(option, options, tracks)}.")


def choices_told(option: Option, options: TableOptions, tracks: TrackNames) -> str:
    """Say what can be typed for an option."""
    is_track = option is TRACK or option in RACE_TRACKS
    words = [value.label if is_track else value.word for value in values_of(option, options, tracks)]
    return listed([*words, option.others] if option.others else words, "or")
