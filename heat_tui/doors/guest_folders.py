"""The guests that this machine knows: a folder for each, found again by a key or by name and word.

A guest without a key gets a word of four letters. A name and its word lead back to the folder, and with it to
the saved seats. So few letters would soon be found by trying: after some wrong ones no word of that name, and
none from that address, is believed for an hour.

The folders are bounded in size, number and age. One with a seat that was used within a day is never removed.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from heat_core.files import write_whole
from heat_core.names import name_key
from heat_tui.doors.tries import Tries

MOST_GUESTS: Final = 300
MOST_BYTES: Final = 8 * 1024 * 1024
"""Of one guest's folder: some dozens of records, of which the oldest go first; seats and settings stay."""

KEPT_SECONDS: Final = 30 * 24 * 60 * 60
"""A folder that was not used for so long is removed."""

SEAT_SECONDS: Final = 24 * 60 * 60
"""A folder with a seat stays for at least so long after its last use."""

WORD_LETTERS: Final = 4
_LETTERS: Final = "bcdfghjkmnpqrstvwxz"
"""No vowels, so that no word says anything, and nothing that looks like something else."""

_ABOUT: Final = "guest.json"
_RECORDS: Final = Path("data", "records")


class About(msgspec.Struct, frozen=True):
    """What is noted in a guest's folder.

    Attributes:
        name: What stands for the driver's name where names are compared; empty: a key finds the folder.
        word: Empty likewise.
    """

    name: str
    word: str


class Known(NamedTuple):
    """A guest who has a folder.

    Attributes:
        word: Empty: a key finds the folder.
    """

    folder: Path
    word: str


class NoRoom(Exception):
    """There are too many guests, and none who could be forgotten."""


class GuestFolders:
    """The folders of all guests."""

    def __init__(self, root: Path, now: Callable[[], float] = time.time) -> None:
        """Know those below a folder, which need not be there yet."""
        self._root = root
        self._now = now
        self._tries = Tries(20, 60 * 60)

    def of_key(self, fingerprint: str) -> Known | None:
        """Give the guest of a key, as whom nobody without the key comes in; None where the key is new.

        Args:
            fingerprint: Of the public key.
        """
        folder = self._folder_of_key(fingerprint)
        return Known(folder, "") if folder.is_dir() else None

    def _folder_of_key(self, fingerprint: str) -> Path:
        return self._root / f"key-{hashlib.sha256(fingerprint.encode()).hexdigest()[:32]}"

    def new(self, name: str, fingerprint: str, in_use: Collection[Path]) -> Known:
        """Make a folder for a guest who has never been here, found again by the key, or by a new word.

        Args:
            name: The driver's.
            fingerprint: Of the key; empty: the guest has none.
            in_use: Folders that are not to be removed now.

        Raises:
            NoRoom: There are too many guests.
            OSError: The folder cannot be written; the error names it.
        """
        self._make_room(in_use)
        if fingerprint:
            folder, about = self._folder_of_key(fingerprint), About("", "")
        else:
            taken = {about.word for _, about in self._of_name(name)}
            word = next(word for word in iter(_new_word, "") if word not in taken)
            folder, about = self._root / f"name-{secrets.token_hex(16)}", About(name_key(name), word)
        try:
            folder.mkdir(mode=0o700, parents=True)
            write_whole(folder / _ABOUT, msgspec.json.encode(about))
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(folder)) from None
        return Known(folder, about.word)

    def enter(self, known: Known) -> None:
        """Note that a guest is here now."""
        with suppress(OSError):
            (known.folder / _ABOUT).touch()

    def is_known(self, name: str) -> bool:
        """Tell whether a guest without a key has been here under a name."""
        return any(True for _ in self._of_name(name))

    def has_namesake(self, name: str, known: Known) -> bool:
        """Tell whether another guest without a key has been here under the name of this one."""
        return any(folder != known.folder for folder, _ in self._of_name(name))

    def of_word(self, name: str, word: str, address: str) -> Known | None:
        """Give the guest of a name and a word; None where there is none, or after too many wrong words.

        Args:
            address: From where it is tried.
        """
        who = (f"name {name_key(name)}", f"address {address}")
        if any(self._tries.are_too_many(one) for one in who):
            return None
        typed = word.strip().lower()
        for folder, about in self._of_name(name):
            if secrets.compare_digest(about.word.encode(), typed.encode()):
                return Known(folder, about.word)
        for one in who:
            self._tries.note(one)
        return None

    def _of_name(self, name: str) -> Iterator[tuple[Path, About]]:
        for folder in self._folders():
            about = _read_about(folder)
            if about is not None and about.word and about.name == name_key(name):
                yield folder, about

    def _folders(self) -> list[Path]:
        try:
            return [path for path in self._root.iterdir() if path.is_dir()]
        except OSError:
            return []

    def _make_room(self, in_use: Collection[Path]) -> None:
        """Remove the folders that are too old and, where there are too many, those used longest ago."""
        now = self._now()
        dated = sorted((self._used_at(folder), folder) for folder in self._folders() if folder not in in_use)
        excess = len(dated) + len(in_use) + 1 - MOST_GUESTS
        fresh = []
        for moment, folder in dated:
            if now - moment > KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
                excess -= 1
            elif not (_has_seat(folder) and now - moment < SEAT_SECONDS):
                fresh.append(folder)
        fresh.sort(key=_has_seat)  # those without a seat first
        for folder in fresh[: max(0, excess)]:
            shutil.rmtree(folder, ignore_errors=True)
            excess -= 1
        if excess > 0:
            raise NoRoom

    def _used_at(self, folder: Path) -> float:
        try:
            return (folder / _ABOUT).stat().st_mtime
        except OSError:
            return 0.0

    def trim(self, folder: Path) -> None:
        """Remove the oldest records of a guest who has left, until the folder is small enough."""
        excess = -MOST_BYTES
        dated = []
        for path in folder.rglob("*"):
            with suppress(OSError):
                status = path.lstat()
                if path.is_dir():
                    continue
                excess += status.st_size
                if path.is_relative_to(folder / _RECORDS):
                    dated.append((status.st_mtime, status.st_size, path))
        for _, size, path in sorted(dated):
            if excess <= 0:
                return
            with suppress(OSError):
                path.unlink()
                excess -= size


def _new_word() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(WORD_LETTERS))


def _read_about(folder: Path) -> About | None:
    try:
        return msgspec.json.decode((folder / _ABOUT).read_bytes(), type=About)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _has_seat(folder: Path) -> bool:
    return any((folder / "state" / "sessions").glob("*.json"))
