"""A room before the race: places, names, colours, ready marks, options. No clock, no I/O.

Everything here either happens as a whole or raises `Denied` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import msgspec

from heat_core.bots import DriverName
from heat_core.names import BadName, clean_name, name_key
from heat_core.options import (
    RoomOptions,
    SeasonOptions,
    modules_of,
    plan_races,
    rules_of,
    set_up_race,
    set_up_season,
)
from heat_core.presets import LEGEND_LEVELS, LegendLevel, Rules
from heat_core.season_setup import RACES_OF_A_SEASON, YEARS, SeasonSetup
from heat_core.settings import UnknownSetting, UnknownValue, changes_of
from heat_core.setup import (
    COLOURS,
    BadSetup,
    CarSetup,
    Colour,
    LegendSetup,
    RaceSetup,
    number_problem,
)
from heat_core.track import TrackFacts
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import BotKind, PlaceState
from heat_server.people import Bot, Denied, Member, Watcher
from heat_server.sessions import Session

_MOST_LISTED: Final = 20
"""Of tracks, where one is asked for that is not there."""


@dataclass
class Grid:
    """What a race is made from.

    Attributes:
        cars: By car number.
        drivers: By the numbers of the seats among them.
        places: By car number: the lobby's place, None for Legends that filled an empty one.
    """

    cars: list[CarSetup] = field(default_factory=list)
    drivers: dict[int, DriverName] = field(default_factory=dict)
    places: list[int | None] = field(default_factory=list)


class Lobby:
    """Places and options of one room.

    Attributes:
        options: As the host has set them, and checked.
        places: Who sits where; None: nobody.
        watchers: The spectators.
        host: The person who decides; None in an empty room.
    """

    def __init__(self, options: RoomOptions, tracks: Mapping[str, TrackFacts]) -> None:
        """Begin empty.

        Raises:
            Denied: The options do not fit together.
        """
        self._tracks = tracks
        self.options = self._checked(options)
        self.places: list[Member | Bot | None] = [None] * options.cars
        self.watchers: list[Watcher] = []
        self.host: Member | None = None
        self._told_not_ready: frozenset[str] = frozenset()

    @classmethod
    def restored(
        cls,
        options: RoomOptions,
        places: list[Member | Bot | None],
        watchers: list[Watcher],
        host: Member | None,
        tracks: Mapping[str, TrackFacts],
    ) -> Lobby:
        """Make a lobby as it was, unchecked: a race goes on although its track's file is gone; see `mend`."""
        lobby = cls.__new__(cls)
        lobby._tracks = tracks
        lobby.options = options
        lobby.places = places
        lobby.watchers = watchers
        lobby.host = host
        lobby._told_not_ready = frozenset()
        return lobby

    @property
    def track(self) -> TrackFacts:
        """The track that the options name, in a championship that of the first race."""
        return plan_races(self.options, self._tracks.__getitem__)[0].track

    def race_setup(self, cars: Sequence[CarSetup], seed: str) -> RaceSetup:
        """Make the set-up of the race that the options name; errors as of `set_up_race`."""
        return set_up_race(self.options, cars, seed=seed, find_track=self._tracks.__getitem__)

    def season_setup(self, cars: Sequence[CarSetup], seed: str) -> SeasonSetup:
        """Make the set-up of the championship that the options name; errors as of `set_up_season`."""
        return set_up_season(self.options, cars, seed=seed, find_track=self._tracks.__getitem__)

    @property
    def rules(self) -> Rules:
        """The rules that the options come to."""
        return rules_of(self.options)

    @property
    def laps(self) -> int:
        """The number of laps that the options come to."""
        return self.options.laps or self.track.laps

    def members(self) -> list[Member]:
        """List the people, by place."""
        return [occupant for occupant in self.places if isinstance(occupant, Member)]

    def taken(self) -> int:
        """Count the places where somebody sits."""
        return sum(occupant is not None for occupant in self.places)

    def place_of(self, member: Member) -> int:
        """Give a person's place."""
        return self.places.index(member)

    def join(self, session: Session, typed_name: str, colour: Colour | None) -> Member:
        """Seat a person on the first free place."""
        if None not in self.places:
            raise Denied(ErrorCode.ROOM_FULL, "All places of this room are taken.")
        name = self._free_name(typed_name, None)
        if colour is not None:
            self._check_colour(colour, None)
        member = Member(session, name, colour=colour or self._free_colour())
        self._yield_colour(member.colour)
        self.places[self.places.index(None)] = member
        self.host = self.host or member
        return member

    def watch(self, session: Session, typed_name: str) -> Watcher:
        """Let a spectator in."""
        watcher = Watcher(session, self._free_name(typed_name, None))
        self.watchers.append(watcher)
        return watcher

    def change(
        self, member: Member, typed_name: str | None, colour: Colour | None, ready: bool | None
    ) -> None:
        """Change a person's name, colour and ready mark; None leaves one as it is."""
        name = member.name if typed_name is None else self._free_name(typed_name, member)
        if colour is not None and colour != member.colour:
            self._check_colour(colour, member)
            for other in self.places:
                if isinstance(other, Bot) and other.colour == colour:
                    other.colour = member.colour  # people come first; with eight cars no other is free
            member.colour = colour
        member.name = name
        if ready is not None:
            member.is_ready = ready

    def leave(self, member: Member) -> None:
        """Free a person's place; a host hands on."""
        self.places[self.place_of(member)] = None
        self.hand_on(member)

    def clear_ready_marks(self) -> None:
        """Ask everybody anew who is ready: for other options, the next race of a championship, a rematch."""
        self._told_not_ready = frozenset()
        for member in self.members():
            member.is_ready = False

    def hand_on(self, member: Member) -> None:
        """Make another the host if this one is: the first who is there, else the first."""
        if self.host is member:
            others = [other for other in self.members() if other is not member]
            self.host = min(others, key=lambda other: not other.is_there, default=None)

    def configure(self, options: RoomOptions) -> None:
        """Change the options and clear the ready marks; people keep their places where these still exist."""
        options = self._checked(options)
        if self.taken() > options.cars:
            raise Denied(
                ErrorCode.BAD_OPTIONS, f"{self.taken()} places are taken; {options.cars} would be too few."
            )
        places = self.places[: options.cars] + [None] * (options.cars - len(self.places))
        for occupant in self.places[options.cars :]:
            if occupant is not None:
                places[places.index(None)] = occupant
        self.places = places
        self.options = options
        self.clear_ready_marks()

    def put_bot(self, place: int, kind: BotKind | None) -> None:
        """Put a bot on a place where no person sits, or clear it."""
        if place >= len(self.places):
            raise Denied(ErrorCode.NO_SUCH_PLACE, f"This room has the places 0 to {len(self.places) - 1}.")
        if isinstance(self.places[place], Member):
            raise Denied(ErrorCode.PLACE_TAKEN, "A person sits there.")
        self.places[place] = None
        if kind is not None:
            self.places[place] = Bot(kind, self._bot_name(kind), self._free_colour())

    def check_start(self) -> None:
        """Deny a start that somebody is not ready for, but only once for the same people.

        Raises:
            Denied: The race cannot begin, or not before the host has said so again.
        """
        grid = self.grid()
        if len(grid.cars) < 2:
            raise Denied(ErrorCode.TOO_FEW_CARS, "A race needs two cars: wait for somebody, or add a bot.")
        waiting = [
            member.name
            for member in self.members()
            if member is not self.host
            and member.stand_in is None
            and not (member.is_ready and member.gone_at is None)
        ]
        # Said again it holds, unless somebody else has come to be waited for meanwhile.
        if not self._told_not_ready.issuperset(waiting):
            self._told_not_ready = frozenset(waiting)
            raise Denied(
                ErrorCode.NOT_READY,
                f"Not ready: {', '.join(waiting)}. Start again to race all the same.",
            )

    def grid(self) -> Grid:
        """Make the cars of the race: those who sit there, then the Legends that fill empty places."""
        grid = Grid()
        for place, occupant in enumerate(self.places):
            if isinstance(occupant, Member):
                grid.drivers[len(grid.cars)] = "human"
                grid.cars.append(CarSetup(occupant.name, occupant.colour))
                grid.places.append(place)
            elif isinstance(occupant, Bot):
                legend = _legend_of(occupant.kind)
                if legend is None:
                    grid.drivers[len(grid.cars)] = cast(DriverName, occupant.kind)
                grid.cars.append(CarSetup(occupant.name, occupant.colour, legend))
                grid.places.append(place)
        free = len(self.places) - len(grid.cars)
        for _ in range(min(free, self.options.legends)):
            colour = next(colour for colour in COLOURS if all(car.colour != colour for car in grid.cars))
            taken = {name_key(car.name) for car in grid.cars} | {name_key(one.name) for one in self.watchers}
            name = _first_free("Legend", taken)
            grid.cars.append(CarSetup(name, colour, _legend(self.options.level)))
            grid.places.append(None)
        return grid

    def states(self) -> tuple[PlaceState, ...]:
        """Describe all places for the clients."""
        return tuple(_state(occupant) for occupant in self.places)

    def _checked(self, options: RoomOptions) -> RoomOptions:
        """Give the options back with no setting in them that is the preset's anyway.

        Raises:
            Denied: There is no such track or setting, or the options do not fit together.
        """
        season = options.season
        if self._lost_tracks(options):
            raise Denied(ErrorCode.UNKNOWN_TRACK, f"The tracks here are {_some([*self._tracks])}.")
        if season is not None:
            _check_season(season)
        try:
            rules = rules_of(options)
        except UnknownSetting as error:
            raise Denied(ErrorCode.UNKNOWN_SETTING, str(error)) from None
        except UnknownValue as error:
            raise Denied(ErrorCode.BAD_SETTING, str(error)) from None
        for race in plan_races(options, self._tracks.__getitem__):
            if problem := number_problem(options.cars, race.track, rules):
                raise Denied(ErrorCode.BAD_OPTIONS, f"{problem}.")
        if options.legends >= options.cars:
            raise Denied(ErrorCode.BAD_OPTIONS, "One place at least must be left for a person.")
        try:
            modules_of(options)
        except BadSetup as error:
            raise Denied(ErrorCode.BAD_OPTIONS, f"This does not fit together: {error}.") from None
        return msgspec.structs.replace(options, settings=changes_of(rules))

    def _lost_tracks(self, options: RoomOptions) -> list[str]:
        """List what the options name and the server does not have."""
        season = options.season
        named = (options.track,) if season is None or season.year is not None else season.tracks
        return [track for track in named if track not in self._tracks]

    def mend(self) -> str | None:
        """Before a race: take a track of the box where a file has gone that the options name.

        Returns:
            A sentence that says so; None: nothing is missing.
        """
        lost = self._lost_tracks(self.options)
        if not lost:
            return None
        box = RoomOptions()
        self.options = msgspec.structs.replace(self.options, track=box.track, laps=None, season=None)
        return f"The server has no track {', '.join(lost)} any more; the room is set to {box.track}."

    def _free_name(self, typed: str, member: Member | None) -> str:
        try:
            name = clean_name(typed)
        except BadName as error:
            raise Denied(ErrorCode.BAD_NAME, str(error)) from None
        others = (*self.places, *self.watchers)
        if any(
            other is not None and other is not member and name_key(other.name) == name_key(name)
            for other in others
        ):
            raise Denied(ErrorCode.NAME_TAKEN, "Somebody in this room has that name already.")
        return name

    def _check_colour(self, colour: Colour, member: Member | None) -> None:
        if any(other.colour == colour for other in self.members() if other is not member):
            raise Denied(ErrorCode.COLOUR_TAKEN, f"Somebody else drives the {colour} car.")

    def _yield_colour(self, colour: Colour) -> None:
        """Give a bot that drives a colour another one: people come first."""
        for other in self.places:
            if isinstance(other, Bot) and other.colour == colour:
                other.colour = self._free_colour()

    def _free_colour(self) -> Colour:
        used = {other.colour for other in self.places if other is not None}
        return next(colour for colour in COLOURS if colour not in used)

    def _bot_name(self, kind: BotKind) -> str:
        used = {name_key(other.name) for other in (*self.places, *self.watchers) if other is not None}
        return _first_free(kind.partition(":")[0].capitalize(), used)


def _some(names: Sequence[str]) -> str:
    """List names in a sentence, not more than can be read."""
    listed, more = names[:_MOST_LISTED], len(names) - _MOST_LISTED
    return ", ".join(listed) + (f" and {more} more" if more > 0 else "")


def _check_season(season: SeasonOptions) -> None:
    """Deny a championship that there cannot be."""
    if season.year is not None and season.year not in YEARS:
        years = ", ".join(str(year) for year in YEARS)
        raise Denied(ErrorCode.BAD_OPTIONS, f"The printed seasons are {years}.")
    if season.year is not None and (season.tracks or season.events):
        raise Denied(ErrorCode.BAD_OPTIONS, "A printed season has its own tracks and events.")
    if season.year is None and len(season.tracks) not in RACES_OF_A_SEASON:
        raise Denied(ErrorCode.BAD_OPTIONS, f"{len(season.tracks)} races; a season has 3 or 4.")


def _first_free(word: str, used: set[str]) -> str:
    number = 1
    while name_key(f"{word} {number}") in used:
        number += 1
    return f"{word} {number}"


def _legend_of(kind: BotKind) -> LegendSetup | None:
    word, _, level = kind.partition(":")
    return _legend(cast(LegendLevel, level)) if word == "legend" else None


def _legend(level: LegendLevel) -> LegendSetup:
    return LegendSetup(*LEGEND_LEVELS[level])


def _state(occupant: Member | Bot | None) -> PlaceState:
    match occupant:
        case None:
            return PlaceState()
        case Bot():
            return PlaceState(occupant.kind, occupant.name, occupant.colour, True, True)
        case Member():
            return PlaceState(
                "human",
                occupant.name,
                occupant.colour,
                occupant.is_ready,
                occupant.is_there,
                occupant.stand_in is not None,
                occupant.wants_pause,
            )
