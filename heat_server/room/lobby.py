"""A room before the race: places, names, colours, ready marks, options. No clock, no I/O.

Everything here either happens completely or raises `Denied` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import msgspec

from heat_core.bot_names import bot_name
from heat_core.drivers import DriverName
from heat_core.names import BadName, clean_name, name_key
from heat_core.options.table_options import (
    RoomOptions,
    plan_races,
    rules_of,
    set_up_race,
    set_up_season,
)
from heat_core.race.presets import LEGEND_LEVELS, LegendLevel, Rules
from heat_core.race.setup import (
    COLOURS,
    CarSetup,
    Colour,
    LegendSetup,
    RaceSetup,
)
from heat_core.season.setup import SeasonSetup
from heat_core.track_facts import TrackFacts
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import BotKind, ErrorData, PlaceState
from heat_server.room.denied import Denied
from heat_server.room.options import checked_options, lost_tracks
from heat_server.room.participants import Participants
from heat_server.room.saved_room import Bot, Member, Occupant, Person, SavedRoom, Watcher


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
    """Places and options of one room: it changes `SavedRoom`, and has but a memory of its own."""

    def __init__(
        self, code: str, saved: SavedRoom, people: Participants, tracks: Mapping[str, TrackFacts]
    ) -> None:
        """Take a room as it is, unchecked: a race continues although its track's file is gone; see `mend`."""
        self._code = code
        self._saved = saved
        self._people = people
        self._tracks = tracks
        self._announced_not_ready: frozenset[str] = frozenset()

    @property
    def options(self) -> RoomOptions:
        """As the host has set them, and checked."""
        return self._saved.options

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

    def taken(self) -> int:
        """Count the places where somebody sits."""
        return sum(occupant is not None for occupant in self._saved.places)

    def newcomer(self, key: bytes, typed_name: str, colour: Colour | None) -> Member:
        """Make a person who can have a free place here, and who has yet to be let in."""
        if None not in self._saved.places:
            raise Denied(ErrorCode.ROOM_FULL, "All places of this room are taken.")
        name = self._free_name(typed_name, None)
        if colour is not None:
            self._check_colour(colour, None)
        member = Member.new(key, name, colour or self._free_colour())
        self._yield_colour(member.colour)
        return member

    def new_watcher(self, key: bytes, typed_name: str) -> Watcher:
        """Make a spectator who can come in, and has yet to be let in."""
        return Watcher(key, self._free_name(typed_name, None))

    def change(
        self, member: Member, typed_name: str | None, colour: Colour | None, ready: bool | None
    ) -> None:
        """Change a person's name, colour and ready mark; None leaves one as it is."""
        name = member.name if typed_name is None else self._free_name(typed_name, member)
        if colour is not None and colour != member.colour:
            self._check_colour(colour, member)
            for other in self._saved.places:
                if isinstance(other, Bot) and other.colour == colour:
                    other.colour = member.colour  # people come first; with eight cars no other is free
            member.colour = colour
        member.name = name
        if ready is not None:
            member.is_ready = ready

    def clear_ready_marks(self) -> None:
        """Ask everybody again who is ready: for other options, the next race of a championship, a rematch."""
        self._announced_not_ready = frozenset()
        for member in self._people.members():
            member.is_ready = False

    def configure(self, options: RoomOptions) -> None:
        """Change the options and clear the ready marks; people keep their places where these still exist."""
        options, host = checked_options(options, self._tracks), self._people.host
        if self.taken() > options.cars:
            raise Denied(
                ErrorCode.BAD_OPTIONS, f"{self.taken()} places are taken; {options.cars} would be too few."
            )
        places = self._saved.places[: options.cars] + [None] * (options.cars - len(self._saved.places))
        for occupant in self._saved.places[options.cars :]:
            if occupant is not None:
                places[places.index(None)] = occupant
        self._saved.places = places
        self._saved.host = places.index(host) if host is not None else None
        self._saved.options = options
        self.clear_ready_marks()

    def put_bot(self, place: int, kind: BotKind | None) -> None:
        """Put a bot on a place where no person sits, or clear it."""
        if place >= len(self._saved.places):
            raise Denied(
                ErrorCode.NO_SUCH_PLACE,
                f"This room has the places 0 to {len(self._saved.places) - 1}.",
                ErrorData(tuple(range(len(self._saved.places)))),
            )
        if isinstance(self._saved.places[place], Member):
            raise Denied(ErrorCode.PLACE_TAKEN, "A person has this place.")
        self._saved.places[place] = None
        if kind is not None:
            self._saved.places[place] = Bot(kind, self._bot_name(kind, place), self._free_colour())

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
            for member in self._people.members()
            if member is not self._people.host
            and member.stand_in is None
            and not (member.is_ready and self._people.presence(member).gone_at is None)
        ]
        # Said again it holds, unless somebody else has come to be waited for meanwhile.
        if not self._announced_not_ready.issuperset(waiting):
            self._announced_not_ready = frozenset(waiting)
            raise Denied(
                ErrorCode.NOT_READY,
                f"Not ready: {', '.join(waiting)}. Start again to race anyway.",
            )

    def grid(self) -> Grid:
        """Make the cars of the race: those who sit there, then the Legends that fill empty places."""
        grid = Grid()
        for place, occupant in enumerate(self._saved.places):
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
        free = len(self._saved.places) - len(grid.cars)
        for _ in range(min(free, self.options.legends)):
            colour = next(colour for colour in COLOURS if all(car.colour != colour for car in grid.cars))
            taken = {name_key(car.name) for car in grid.cars} | {
                name_key(one.name) for one in self._saved.watchers
            }
            name = _first_free("Legend", taken)
            grid.cars.append(CarSetup(name, colour, _legend(self.options.level)))
            grid.places.append(None)
        return grid

    def states(self) -> tuple[PlaceState, ...]:
        """Describe all places for the clients."""
        return tuple(self._state(occupant) for occupant in self._saved.places)

    def mend(self) -> str | None:
        """Before a race: take a track of the box where a file has gone that the options name.

        Returns:
            A sentence that says so; None: nothing is missing.
        """
        lost = lost_tracks(self.options, self._tracks)
        if not lost:
            return None
        box = RoomOptions()
        self._saved.options = msgspec.structs.replace(self.options, track=box.track, laps=None, season=None)
        return f"The server has no track {', '.join(lost)} any more; the room is set to {box.track}."

    def _free_name(self, typed: str, member: Member | None) -> str:
        try:
            name = clean_name(typed)
        except BadName as error:
            raise Denied(ErrorCode.BAD_NAME, str(error)) from None
        if any(other is not member and name_key(other.name) == name_key(name) for other in self._named()):
            raise Denied(ErrorCode.NAME_TAKEN, "Somebody in this room already has that name. Choose another.")
        return name

    def _named(self) -> list[Person | Bot]:
        return [one for one in (*self._saved.places, *self._saved.watchers) if one is not None]

    def _check_colour(self, colour: Colour, member: Member | None) -> None:
        taken = {other.colour for other in self._people.members() if other is not member}
        if colour in taken:
            raise Denied(
                ErrorCode.COLOUR_TAKEN,
                f"Somebody else drives the {colour} car. Choose another colour.",
                ErrorData(tuple(other for other in COLOURS if other not in taken)),
            )

    def _yield_colour(self, colour: Colour) -> None:
        """Give a bot that drives a colour another one: people come first."""
        for other in self._saved.places:
            if isinstance(other, Bot) and other.colour == colour:
                other.colour = self._free_colour()

    def _free_colour(self) -> Colour:
        used = {other.colour for other in self._saved.places if other is not None}
        return next(colour for colour in COLOURS if colour not in used)

    def _bot_name(self, kind: BotKind, place: int) -> str:
        used = [other.name for other in self._named()]
        if _legend_of(kind) is None:
            return bot_name(kind, place, self._code, used)
        return _first_free("Legend", set(map(name_key, used)))

    def _state(self, occupant: Occupant) -> PlaceState:
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
                    self._people.is_there(occupant),
                    occupant.stand_in is not None,
                    occupant.wants_pause,
                    occupant.more_milliseconds,
                )


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
