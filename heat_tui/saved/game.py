"""What races and championships at this keyboard have in common: they are saved after every choice."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from heat_core.drivers import DriverName
from heat_core.race.commands import Command
from heat_core.race.dump import BadDump, OtherVersion
from heat_core.race.setup import CarSetup
from heat_core.table import Table
from heat_core.track_facts import TrackFacts
from heat_tui.client.local import LocalSession
from heat_tui.saved.file import SaveFile


class SavedFormat(msgspec.Struct):
    """What every file begins with.

    Attributes:
        format: A number of its kind; it goes up whenever what follows changes its form.
    """

    format: int


Saved = TypeVar("Saved", bound=SavedFormat)


class SavedGame(ABC):
    """A race or a championship, and the file that holds it."""

    def __init__(self, file: SaveFile) -> None:
        """Take over its file."""
        self._file = file
        self._trouble = ""

    @property
    def path(self) -> Path:
        """Where it is saved: what distinguishes it from other saved ones."""
        return self._file.path

    @property
    def trouble(self) -> str:
        """Why it is lost when the program ends, in one sentence; empty where it is saved."""
        return f"It cannot be saved ({self._trouble}), so it ends with this program." if self._trouble else ""

    @property
    @abstractmethod
    def text(self) -> str:
        """Which one it is, and how far."""

    @property
    @abstractmethod
    def track(self) -> TrackFacts | None:
        """Where it continues; None: it is over."""

    @property
    @abstractmethod
    def cars(self) -> Sequence[CarSetup]:
        """Every car."""

    @property
    @abstractmethod
    def drivers(self) -> Mapping[int, DriverName]:
        """Who drives each seat."""

    @property
    def seats(self) -> list[int]:
        """The seats of the people at this keyboard."""
        return [seat for seat, driver in self.drivers.items() if driver == "human"]

    def people(self) -> list[str]:
        """Name who plays at this keyboard."""
        return [self.cars[seat].name for seat in self.seats]

    @property
    def text_with_people(self) -> str:
        """Which one it is, how far, and who plays: `race on USA, round 3: Ana, Ben`."""
        people = ", ".join(self.people())
        return f"{self.text}: {people}" if people else self.text

    @abstractmethod
    def dump(self) -> bytes:
        """Serialise everything."""

    def save(self) -> None:
        """Write everything; what cannot be written stops nobody from playing on."""
        self._trouble = self._file.write(self.dump()).result()

    async def save_choice(self) -> None:
        """Do the same without holding up the screen; a caller that stops waiting stops no write."""
        writing = self._file.write(self.dump())
        await asyncio.wait([asyncio.wrap_future(writing)])
        self._trouble = writing.result()

    def close(self) -> None:
        """Leave it for later."""
        self._file.close()

    def delete(self) -> None:
        """Remove it for good, as nobody will continue it."""
        self._file.delete()


class SavingSession(LocalSession):
    """A table at this keyboard; each choice is saved before anything that follows from it is shown.

    So nobody who ends the program and continues has seen more than what is saved: no card turns out another.
    """

    def __init__(self, game: SavedGame, table: Table) -> None:
        """Take over the table of a race under way."""
        super().__init__(table)
        self._game = game
        self._saved = asyncio.Event()
        self._saved.set()

    @property
    def farewell(self) -> str:
        """It is not lost, as far as it can be saved."""
        return self._game.trouble or "It is saved; continue it from home."

    @property
    def trouble(self) -> str:
        """Why it is lost when the program ends."""
        return self._game.trouble

    async def changed(self, number: int) -> None:
        """Wait as at any table, and until the choice that was just made is saved."""
        await super().changed(number)
        await self._saved.wait()

    async def _take(self, seat: int, decision: int | None, command: Command) -> None:
        self._saved.clear()
        try:
            await super()._take(seat, decision, command)
            await self._game.save_choice()
        finally:
            self._saved.set()


def read_saved(file: SaveFile, number: int, decoder: msgspec.msgpack.Decoder[Saved]) -> Saved:
    """Read what a file holds.

    Args:
        number: Of the only format that is read.

    Raises:
        BadDump: It is damaged, or another version wrote it.
    """
    data = file.read()
    try:
        found = _FORMAT_DECODER.decode(data).format
        if found != number:
            raise OtherVersion(f"saved in format {found}; this version reads format {number}")
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDump(f"not a saved file of this program: {error}") from None


_FORMAT_DECODER = msgspec.msgpack.Decoder(SavedFormat)
