"""The index of finished races: a line for each race that was driven here or, from here, on a server.

Home's last results, personal bests and the career read it, so that no record has to be opened for them.

Theory of operation. The file is in the folder of data: a first line with the format's number, then a JSON
line a race, oldest first. A race is added by one write at the end of the file, under a lock that lies on the
file itself. A line that cannot be read, such as one torn by a full disk, is passed over and counted. Beyond
`MOST_RACES` the oldest leave: the rest goes into a new file in the old one's place, and whoever waits for the
lock of the old one sees that it is no longer current. Where there is no file yet, the first look makes one
from the saved records.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from heat_core.bot_names import level_of
from heat_core.files import track_names, write_whole
from heat_core.game_files import read_record
from heat_core.names import MOST_NAME_CHARACTERS, name_key
from heat_core.race import events as e
from heat_core.race.events.parts import Amount, CarNumber, Change, FinalStatus, Place
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.race.setup import BASE_GAME, CarSetup, Colour, Modules
from heat_core.record.figures import gap_between, race_figures
from heat_core.record.record import BadRecord, Record
from heat_core.text import counted
from heat_core.track import compile_track
from heat_tui.daily import day_of
from heat_tui.saved.records import record_digest, record_files
from heat_tui.state import Folders

MOST_RACES: Final = 2_000

FINISHED_FORMAT: Final = 1

ShortText = Annotated[str, msgspec.Meta(max_length=MOST_NAME_CHARACTERS)]


class Finished(msgspec.Struct, frozen=True, omit_defaults=True):
    """A race that is over, as one driver had it.

    Attributes:
        race: What tells the race from all others: a digest of its record.
        moment: When it ended, in UTC.
        board: The track's identifier; `board_name` as it is shown.
        laps: Of the race.
        car: Its number in the race.
        name: The driver's.
        place: From 1.
        cars: How many raced.
        status: What the car ended as.
        rounds: In which the car took a turn.
        beyond: Spaces beyond the finish line at the end; below 0: before it.
        gap_rounds: Rounds behind the winner; of the winner, ahead of the second.
        gap_spaces: The same in spaces, where both ended in one round.
        opponents: Of each other car `Legend easy`, the level of a bot, or `person`.
        modules: What there was besides the base game.
        top_speed: Greatest speed of a turn.
        heat_paid: Out of the engine.
        from_position: Whether the race began from a position and not on the grid.
        race_of_season: Its number in a championship, from 1; 0: it belonged to none.
        daily: The day whose daily race it was, as `2026-11-29`; empty: it was none.
        record: Name of its file among the records; empty: it was not saved.
    """

    race: ShortText
    moment: datetime
    board: ShortText
    board_name: ShortText
    laps: Amount
    car: CarNumber
    name: ShortText
    colour: Colour
    place: Place
    cars: Place
    status: FinalStatus
    rounds: Amount
    beyond: Change
    gap_rounds: Change
    gap_spaces: Change
    opponents: Annotated[tuple[ShortText, ...], msgspec.Meta(max_length=8)]
    modules: Modules = BASE_GAME
    top_speed: Amount = 0
    heat_paid: Amount = 0
    spin_outs: Amount = 0
    slipstreams: Amount = 0
    corners_pressed: Amount = 0
    from_position: bool = False
    race_of_season: Amount = 0
    daily: ShortText = ""
    record: ShortText = ""

    @property
    def is_won(self) -> bool:
        """Whether the car came first."""
        return self.place == 1

    @property
    def is_raced_out(self) -> bool:
        """Whether the car raced to the end, so that its place counts, be it beyond the line or not."""
        return self.status not in ("gave_up", "spun_out")

    @property
    def is_finished(self) -> bool:
        """Whether the car crossed the finish line, so that its rounds can be a best."""
        return self.status == "finished" and not self.from_position

    @property
    def rank(self) -> tuple[int, int]:
        """What orders races over one distance, the best is least: rounds, then spaces beyond the line."""
        return self.rounds, -self.beyond


class _Head(msgspec.Struct):
    """What the file begins with."""

    format: Literal[1] = FINISHED_FORMAT


def finished_races(
    record: Record,
    cars: Iterable[int],
    moment: datetime,
    *,
    digest: str,
    record_name: str = "",
) -> tuple[Finished, ...]:
    """Make the lines of a record.

    Args:
        cars: Whose lines.
        moment: When it ended, in UTC.
        digest: As `record_digest` makes it.

    Returns:
        One line for each of the cars; none where the race has no result, for it was abandoned.
    """
    setup, events = record.setup, record.events
    end = events[-1] if events else None
    if not isinstance(end, e.RaceEnded) or end.reason == "abandoned":
        return ()
    figures = race_figures(setup, events)
    first, second = (standing.car for standing in end.standings[:2])
    finish = compile_track(setup.track).finish_line(setup.laps)
    day = day_of(setup, track_names())
    lines = []
    for car in cars:
        told = figures[car]
        gap = gap_between(told, figures[second if car == first else first])
        lines.append(
            Finished(
                race=digest,
                moment=moment,
                board=setup.track.id,
                board_name=setup.track.name,
                laps=setup.laps,
                car=car,
                name=setup.cars[car].name,
                colour=setup.cars[car].colour,
                place=told.place,
                cars=len(setup.cars),
                status=next(standing.status for standing in end.standings if standing.car == car),
                rounds=told.rounds,
                beyond=told.progress[-1] - finish,
                gap_rounds=gap.rounds,
                gap_spaces=gap.spaces,
                opponents=tuple(_driver(other) for n, other in enumerate(setup.cars) if n != car),
                modules=setup.modules,
                top_speed=told.top_speed,
                heat_paid=told.heat_paid,
                spin_outs=told.spin_outs,
                slipstreams=told.slipstreams,
                corners_pressed=told.corners_pressed,
                from_position=setup.position is not None,
                race_of_season=setup.season.race + 1 if setup.season is not None else 0,
                daily=day.isoformat() if day is not None else "",
                record=record_name,
            )
        )
    return tuple(lines)


def own_cars(record: Record, seats: Sequence[int], player_name: str) -> tuple[int, ...]:
    """Choose whose results at a table are the player's.

    Args:
        seats: Those played at this keyboard.

    Returns:
        The only seat, whatever its name; of several around one keyboard those that have the player's name.
    """
    if len(seats) == 1:
        return tuple(seats)
    return tuple(seat for seat in seats if _is_named(record.setup.cars[seat], player_name))


class FinishedIndex:
    """The index of finished races in a user's folders.

    Attributes:
        unreadable: How many lines of the file were passed over at the last look.
    """

    def __init__(self, folders: Folders, player_name: str) -> None:
        """Nothing is read yet.

        Args:
            player_name: Whose races are taken from saved records where there is no index yet.
        """
        self.unreadable = 0
        self._folders = folders
        self._player_name = player_name

    @property
    def path(self) -> Path:
        """The file; it need not exist."""
        return self._folders.data / "finished.jsonl"

    @property
    def fault(self) -> str:
        """What was passed over, in one sentence; empty: nothing."""
        if not self.unreadable:
            return ""
        return f"{counted(self.unreadable, 'line')} of {self.path.name} cannot be read and is left out."

    def all(self) -> tuple[Finished, ...]:
        """Give every finished race, oldest first; of the first look the records are read, which takes time.

        Nothing that is missing, damaged or newer raises: it counts as absent.
        """
        data = self._data()
        return self._read(data) if data else self.add()

    def add(self, *races: Finished) -> tuple[Finished, ...]:
        """Add races that are not in it yet; what cannot be written stops nobody.

        Returns:
            All that are in it then, oldest first; of those that cannot be written none.
        """
        if not self._data():
            races = (*self._of_records(), *races)
        if not races:
            return self._read(self._data())
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self.path) as descriptor:
                return self._added(descriptor, races)
        except OSError:
            return self._read(self._data())

    def _data(self) -> bytes:
        try:
            return self.path.read_bytes()
        except OSError:
            return b""

    def _added(self, descriptor: int, races: Sequence[Finished]) -> tuple[Finished, ...]:
        data = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        known = self._read(data)
        keys = {(race.race, race.car) for race in known}
        new = tuple({(r.race, r.car): r for r in races if (r.race, r.car) not in keys}.values())
        every = (*known, *new)[-MOST_RACES:]
        if not data:
            write_whole(self.path, _encoded(_Head(), *every), is_synced=True)
        elif not _is_of_this_format(data):
            return ()  # a newer program's: it is not ours to change
        elif len(known) + len(new) > MOST_RACES:
            write_whole(self.path, _encoded(_Head(), *every), is_synced=True)
        elif new:
            torn = b"" if data.endswith(b"\n") else b"\n"
            os.write(descriptor, torn + _encoded(*new))
            os.fsync(descriptor)
        return every

    def _read(self, data: bytes) -> tuple[Finished, ...]:
        self.unreadable = 0
        if data and not _is_of_this_format(data):
            self.unreadable = data.count(b"\n")
            return ()
        races = []
        for line in data.splitlines()[1:]:
            try:
                races.append(_DECODER.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                self.unreadable += 1
        return tuple(races)

    def _of_records(self) -> Iterator[Finished]:
        """Take the player's races from the saved records, oldest first."""
        for moment, path in reversed(record_files(self._folders)):
            try:
                record = read_record(path)
            except BadRecord:
                continue
            cars = own_cars(record, range(len(record.setup.cars)), self._player_name)
            if cars:
                digest = record_digest(record)
                yield from finished_races(record, cars, moment, digest=digest, record_name=path.name)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Open and lock the file that has this name now, and give its descriptor.

    Raises:
        OSError: It cannot be opened or locked.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _is_of_this_format(data: bytes) -> bool:
    try:
        _HEAD_DECODER.decode(data.partition(b"\n")[0])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _encoded(*lines: _Head | Finished) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def _is_named(car: CarSetup, name: str) -> bool:
    return car.legend is None and name_key(car.name) == name_key(name)


def _driver(car: CarSetup) -> str:
    """Say what drives a car, as far as a record says: Legends by how they drive, bots by their names."""
    if car.legend is not None:
        how = (car.legend.bonus, car.legend.chevrons)
        return f"Legend {next((name for name, level in LEGEND_LEVELS.items() if level == how), 'custom')}"
    return level_of(car.name) or "person"


_DECODER: Final = msgspec.json.Decoder(Finished)
_HEAD_DECODER: Final = msgspec.json.Decoder(_Head)
