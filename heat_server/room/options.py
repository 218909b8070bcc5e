"""Which options a room can have on this server. No clock, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from heat_core.options.settings import UnknownSetting, UnknownValue, changes_of
from heat_core.options.table_options import (
    LEAST_TURN_MILLISECONDS,
    NO_CLOCK,
    RoomOptions,
    SeasonOptions,
    modules_of,
    plan_races,
    rules_of,
)
from heat_core.race.setup import BadSetup, number_problem
from heat_core.season.setup import RACES_OF_A_SEASON, YEARS
from heat_core.track_facts import TrackFacts
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import ErrorData
from heat_server.config import ServerConfig
from heat_server.room.denied import Denied


def settled_options(options: RoomOptions, config: ServerConfig) -> RoomOptions:
    """Name who drives for the absent, where the host leaves that to the server."""
    return msgspec.structs.replace(options, away_driver=options.away_driver or config.away_driver)


_MOST_LISTED: Final = 20
"""Of tracks, where one is asked for that is not there."""


def checked_options(options: RoomOptions, tracks: Mapping[str, TrackFacts]) -> RoomOptions:
    """Give the options back with no setting in them that is the preset's anyway.

    Raises:
        Denied: There is no such track or setting, or the options do not fit together.
    """
    season = options.season
    if lost_tracks(options, tracks):
        raise Denied(
            ErrorCode.UNKNOWN_TRACK,
            f"This server does not have that track. Its tracks are {_some([*tracks])}.",
            ErrorData(tuple(tracks)),
        )
    if season is not None:
        _check_season(season)
    try:
        rules = rules_of(options)
    except UnknownSetting as error:
        raise Denied(ErrorCode.UNKNOWN_SETTING, str(error), ErrorData(error.allowed)) from None
    except UnknownValue as error:
        raise Denied(ErrorCode.BAD_SETTING, str(error), ErrorData(error.allowed)) from None
    for race in plan_races(options, tracks.__getitem__):
        if problem := number_problem(options.cars, race.track, rules):
            raise Denied(ErrorCode.BAD_OPTIONS, f"{problem}.")
    if options.turn_milliseconds and options.turn_milliseconds < LEAST_TURN_MILLISECONDS:
        text = f"A decision needs {LEAST_TURN_MILLISECONDS} milliseconds at least; {NO_CLOCK} is no clock."
        raise Denied(ErrorCode.BAD_OPTIONS, text)
    if options.legends >= options.cars:
        raise Denied(ErrorCode.BAD_OPTIONS, "At least one place must be left for a person.")
    try:
        modules_of(options)
    except BadSetup as error:
        raise Denied(ErrorCode.BAD_OPTIONS, f"These options do not fit together: {error}.") from None
    return msgspec.structs.replace(options, settings=changes_of(rules))


def lost_tracks(options: RoomOptions, tracks: Mapping[str, TrackFacts]) -> list[str]:
    """List what the options name and the server does not have."""
    season = options.season
    named = (options.track,) if season is None or season.year is not None else season.tracks
    return [track for track in named if track not in tracks]


def _some(names: Sequence[str]) -> str:
    """List names in a sentence, not more than can be read."""
    listed, more = names[:_MOST_LISTED], len(names) - _MOST_LISTED
    return ", ".join(listed) + (f" and {more} more" if more > 0 else "")


def _check_season(season: SeasonOptions) -> None:
    """Deny a championship that there cannot be."""
    if season.year is not None and season.year not in YEARS:
        years = ", ".join(str(year) for year in YEARS)
        raise Denied(ErrorCode.BAD_OPTIONS, f"The printed seasons are {years}.", ErrorData(tuple(YEARS)))
    if season.year is not None and (season.tracks or season.events):
        raise Denied(ErrorCode.BAD_OPTIONS, "A printed season has its own tracks and events.")
    if season.year is None and len(season.tracks) not in RACES_OF_A_SEASON:
        raise Denied(ErrorCode.BAD_OPTIONS, f"{len(season.tracks)} races; a season has 3 or 4.")
