"""What is chosen for a race or a championship at this keyboard: each change is a typed line, as in a lobby.

A lobby's options hold what both have. Beside them stands what only a table here has: who drives, bots, the
seed. There are no places to set: everybody who fits may race.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, cast

import msgspec

from heat_core.bots import BOTS, BotName
from heat_core.modules import single_race_modules
from heat_core.season_setup import YEARS
from heat_core.setup import COLOURS, Colour, Modules, most_cars
from heat_core.track import TrackFacts
from heat_core.wire import messages as m
from heat_tui.labels import BOT_LABELS
from heat_tui.makerace import SeasonWishes, Wishes, clean_names, usual_legends
from heat_tui.plain.asking import read_number
from heat_tui.plain.options import BadOption, change_options, rules_told, season_text
from heat_tui.plain.words import choices_text, counted
from heat_tui.room_options import rules_of

_SHARED: Final = ("legends", "level", "bots", "bot", "names", "colour", "garage", "weather", "rules", "rule")
RACE_SETTINGS: Final = ("track", "laps", *_SHARED, "seed")
SEASON_SETTINGS: Final = ("season", "events", "sponsorships", "laps", *_SHARED, "seed")

EXPLAINED: Final[Mapping[str, str]] = {
    "track": "where to race",
    "season": f"{choices_text([str(year) for year in YEARS])}, or 3 or 4 tracks",
    "events": "on or off: an event card for each race on tracks of your choice",
    "sponsorships": "on or off: Sponsorship cards",
    "laps": "1 to 4, or usual for as many as printed",
    "legends": "how many cars drive by a card of their own, or usual",
    "level": "of the Legends: easy, medium or hard",
    "bots": "how many cars are driven by the program, with cards as yours",
    "bot": f"how they drive: {choices_text(list(BOT_LABELS.values()))}",
    "names": "of the people who drive, with commas between them",
    "colour": f"of the first car: {choices_text(COLOURS)}",
    "garage": "upgrades to draft first: none, basic, advanced or mixed; expansion behind it adds more",
    "weather": "on or off: weather and road tokens",
    "rules": "standard or rulebook",
    "rule": "a single one that differs, such as rule hand_size=8; rule alone tells how",
    "seed": "any text, for the same luck again; none draws one",
}
"""What each setting is, and what it can be."""


class Chosen(msgspec.Struct, frozen=True):
    """What is chosen so far.

    Attributes:
        options: As of a room; its places and Legends are of no account here.
        names: The people, in the order of their seats.
        colour: Of the first of them.
        legends: None: as many as usual.
        are_friends: Whether this is for several people: fewer Legends are usual then.
    """

    options: m.RoomOptions = m.RoomOptions()
    names: tuple[str, ...] = ()
    colour: Colour = "red"
    legends: int | None = None
    bots: int = 0
    bot: BotName = "steady"
    seed: str | None = None
    are_friends: bool = False


def change(chosen: Chosen, typed: str, tracks: Mapping[str, str]) -> Chosen:
    """Make the change that a typed line names.

    Args:
        typed: The setting, then its value.
        tracks: Names of those to choose from, by identifier.

    Raises:
        BadAnswer: There is no such setting or value.
        BadName: A name cannot be shown, or two are the same.
    """
    name, _, value = typed.strip().partition(" ")
    if (changer := _CHANGERS.get(name.casefold())) is not None:
        return changer(chosen, value.strip())
    is_season = chosen.options.season is not None
    options = change_options(chosen.options, typed, tracks, SEASON_SETTINGS if is_season else RACE_SETTINGS)
    if is_season and options.season is None:
        raise BadOption("A championship has a season; leave leads back.")
    # There are no places to set here: as many cars may race as the rules allow.
    options = msgspec.structs.replace(options, cars=rules_of(options).most_cars)
    return msgspec.structs.replace(chosen, options=options)


_Changer: TypeAlias = Callable[[Chosen, str], Chosen]


def _change_names(chosen: Chosen, value: str) -> Chosen:
    typed = [name for name in value.split(",") if name.strip()]
    if not typed:
        raise BadOption("Type a name at least, for example: Ana")
    return msgspec.structs.replace(chosen, names=tuple(clean_names(typed)))


def _change_colour(chosen: Chosen, value: str) -> Chosen:
    if value.casefold() not in COLOURS:
        raise BadOption(f"The colours are {choices_text(COLOURS)}.")
    return msgspec.structs.replace(chosen, colour=cast(Colour, value.casefold()))


def _change_legends(chosen: Chosen, value: str) -> Chosen:
    if value.casefold() == "usual":
        return msgspec.structs.replace(chosen, legends=None)
    number = read_number(value, 0, places_beside(chosen), "The number of Legends")
    return msgspec.structs.replace(chosen, legends=number)


def _change_bots(chosen: Chosen, value: str) -> Chosen:
    number = read_number(value, 0, places_beside(chosen, chosen.legends or 0), "The number of bots")
    return msgspec.structs.replace(chosen, bots=number)


def _change_bot(chosen: Chosen, value: str) -> Chosen:
    if value.casefold() not in BOTS:
        raise BadOption(f"A bot is {choices_text(list(BOTS))}.")
    return msgspec.structs.replace(chosen, bot=cast(BotName, value.casefold()))


def _change_seed(chosen: Chosen, value: str) -> Chosen:
    return msgspec.structs.replace(chosen, seed=None if value.casefold() in ("", "none") else value)


_CHANGERS: Final[Mapping[str, _Changer]] = {
    "names": _change_names,
    "name": _change_names,
    "colour": _change_colour,
    "legends": _change_legends,
    "bots": _change_bots,
    "bot": _change_bot,
    "seed": _change_seed,
}


def places_beside(chosen: Chosen, others: int | None = None) -> int:
    """Say how many more cars may race besides the people.

    Args:
        others: How many race for certain; None: the bots.
    """
    taken = len(chosen.names) + (chosen.bots if others is None else others)
    return max(0, rules_of(chosen.options).most_cars - taken)


def legends_of(chosen: Chosen, tracks: Sequence[TrackFacts] = ()) -> int:
    """Say how many Legends race.

    Args:
        tracks: That they all must find places on.
    """
    if chosen.legends is not None:
        return chosen.legends
    rules = rules_of(chosen.options)
    most = min((most_cars(track, rules) for track in tracks), default=rules.most_cars)
    return usual_legends(most, len(chosen.names), chosen.bots, are_friends=chosen.are_friends)


def chosen_told(chosen: Chosen, tracks: Mapping[str, str], track: TrackFacts | None) -> list[str]:
    """Tell all that is chosen.

    Args:
        tracks: Names of those to choose from, by identifier.
        track: Of a single race; None: it is a championship.
    """
    options, season = chosen.options, chosen.options.season
    laps = options.laps or (None if track is None else track.laps)
    length = "laps as printed" if laps is None else counted(laps, "lap")
    if season is None:
        where = f"{tracks.get(options.track, options.track)}, {length}."
    else:
        where = f"{season_text(season, tracks).removesuffix('.')}; {length}."
    legends = (
        f"{counted(legends_of(chosen, [] if track is None else [track]), 'Legend')}, level {options.level}"
    )
    bots = f"{counted(chosen.bots, 'bot')}, {chosen.bot}" if chosen.bots else "no bots"
    seed = f"; seed {chosen.seed}" if chosen.seed else ""
    return [
        where,
        f"{', '.join(chosen.names)}, first car {chosen.colour}; {legends}; {bots}{seed}.",
        *rules_told(options),
    ]


def race_wishes(chosen: Chosen, track: TrackFacts) -> Wishes:
    """Make of it what a table is made from.

    Raises:
        BadSetup: The expansion has no garage to go into.
    """
    options = chosen.options
    return Wishes(
        names=chosen.names,
        colour=chosen.colour,
        legends=legends_of(chosen, [track]),
        level=options.level,
        bots=chosen.bots,
        bot=chosen.bot,
        rules=rules_of(options),
        seed=chosen.seed,
        modules=single_race_modules(options.garage, expansion=options.expansion, weather=options.weather),
        track=track,
        laps=options.laps,
    )


def season_wishes(chosen: Chosen, tracks: Mapping[str, TrackFacts]) -> SeasonWishes:
    """Make of it what a championship is made from."""
    options, season = chosen.options, chosen.options.season
    assert season is not None
    return SeasonWishes(
        names=chosen.names,
        colour=chosen.colour,
        legends=chosen.legends,
        level=options.level,
        bots=chosen.bots,
        bot=chosen.bot,
        rules=rules_of(options),
        seed=chosen.seed,
        modules=Modules(
            options.garage, options.expansion, weather=options.weather, sponsorships=season.sponsorships
        ),
        year=season.year,
        tracks=tuple(tracks[track] for track in season.tracks),
        laps=options.laps,
        draws_events=season.events and season.year is None,
    )
