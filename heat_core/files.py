"""All file I/O of the engine: track files, records, and random seeds from the system."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Final, Literal, NamedTuple

import platformdirs

from heat_core.shapes import printable
from heat_core.track_facts import TrackFacts
from heat_core.track_files.file import MAX_TRACK_BYTES, BadTrack, parse_track
from heat_core.track_files.online_circuit import Imported, import_circuit

_TRACKS: Final = resources.files("heat_core") / "tracks"
_BOX_ORDER: Final = ("usa", "gb", "italy", "france", "japan", "mexico", "spain", "netherlands")


def new_seed() -> str:
    """Take a seed from the operating system, so that two races differ (CORE-9)."""
    return secrets.token_hex(16)


def track_names() -> list[str]:
    """List the identifiers of the tracks that come with the game, in the order of the boxes."""
    names = {entry.name.removesuffix(".json") for entry in _TRACKS.iterdir() if entry.name.endswith(".json")}
    return [*(name for name in _BOX_ORDER if name in names), *sorted(names - set(_BOX_ORDER))]


def load_track(name: str, folder: Path = Path()) -> TrackFacts:
    """Read a track by its identifier, or by the path of a file that ends in `.json`.

    Args:
        folder: Where a path begins that does not begin at the root.

    Raises:
        BadTrack: There is none of that name, or the file is wrong; the text names the file and the reason.
    """
    if name.endswith(".json"):
        return read_track_file(folder / name)
    names = track_names()
    if name in names:
        return parse_track((_TRACKS / f"{name}.json").read_bytes())
    own = own_tracks(own_track_folder())
    for track in own:
        if track.name == name and track.facts is not None:
            return track.facts
    known = ", ".join([*names, *(track.name for track in own if track.facts is not None)])
    raise BadTrack([f"there is no track {name!r}; the tracks are {known}, or a file's path"])


def read_track_file(path: Path) -> TrackFacts:
    """Read and check a track file.

    Raises:
        BadTrack: It cannot be read or is wrong; the text names the file, the place and the reason.
    """
    try:
        return _read_track(path)
    except BadTrack as error:
        raise BadTrack([f"{shown_path(path)}: {fault}" for fault in error.faults]) from None


def _read_track(path: Path) -> TrackFacts:
    """Read a track file; its faults do not name it.

    Raises:
        BadTrack: It cannot be read, is wrong, or differs from the board with its identifier.
    """
    try:
        data = read_beginning(path, MAX_TRACK_BYTES + 1)
    except OSError as error:
        raise BadTrack([error.strerror or "it cannot be read"]) from None
    facts = parse_track(data)
    if facts.id in track_names() and facts != load_track(facts.id):
        raise BadTrack([_of_box(facts)])
    return facts


def _of_box(facts: TrackFacts) -> str:
    return f"id: {facts.id!r} is a board of the game; give this track another id"


def import_track_file(path: Path) -> Imported:
    """Make a track file of a circuit file of the online version.

    Raises:
        BadTrack: It cannot be read, is none or makes no track; the text names file, place and reason.
    """
    try:
        return import_circuit(read_beginning(path, MAX_TRACK_BYTES + 1), track_names())
    except OSError as error:
        raise BadTrack([f"{shown_path(path)}: {error.strerror or 'it cannot be read'}"]) from None
    except BadTrack as error:
        raise BadTrack([f"{shown_path(path)}: {fault}" for fault in error.faults]) from None


def shown_path(path: Path | str) -> str:
    """Write a path so that it can be printed: a file may be named with signs that drive the terminal."""
    return printable(str(path))


TRACKS_VARIABLE: Final = "HEAT_TRACKS"
"""The environment variable that names another folder for the player's own tracks."""

MOST_OWN_TRACKS: Final = 200
"""In one folder; so many are read in well under a second."""


class FoundTrack(NamedTuple):
    """A track, or a file that should be one.

    Attributes:
        name: Its identifier; of a faulty one the file's name.
        path: The file.
        facts: None where it cannot be raced on.
        faults: Why not, each with its place; empty where it can.
    """

    name: str
    path: Path
    facts: TrackFacts | None
    faults: tuple[str, ...] = ()


_FOLDERS: Final = {
    "config": platformdirs.user_config_path,
    "data": platformdirs.user_data_path,
    "state": platformdirs.user_state_path,
}

_NO_HOME: Final = Path("/nonexistent")
"""The home directory of users who have none; Debian has it in their accounts."""


def user_folder(kind: Literal["config", "data", "state"], program: str) -> Path:
    """Give a folder of this user for a program of this game; it need not exist.

    A user whom systemd makes for a service may have no home directory. Then nothing can be written there,
    and whoever needs such a folder names another one.
    """
    try:
        folder = _FOLDERS[kind](program)
    except RuntimeError:  # older platformdirs give a path with `~` in it
        return _NO_HOME / kind / program
    return folder if folder.is_absolute() else _NO_HOME / kind / program


def track_folder_of(program: str) -> Path:
    """Give the folder where a program of this game looks for tracks that people add; it need not exist."""
    return user_folder("data", program) / "tracks"


def default_door_socket() -> Path:
    """Give the socket at which a server on this machine takes the guests of doors; it need not exist."""
    return user_folder("state", "heat-server") / "doors.sock"


def own_track_folder() -> Path:
    """Give the folder of the player's own tracks; it need not exist."""
    named = os.environ.get(TRACKS_VARIABLE)
    return Path(named) if named else track_folder_of("heat-tui")


def box_tracks() -> list[FoundTrack]:
    """Read the tracks that come with the game."""
    return [FoundTrack(name, Path(str(_TRACKS / f"{name}.json")), load_track(name)) for name in track_names()]


def own_tracks(folder: Path) -> list[FoundTrack]:
    """Read every track file in a folder, in the order of their names. A folder that is not there is empty.

    Nothing that lies there raises: what cannot be raced on is given with its faults.
    """
    try:
        files = sorted(
            path
            for path in folder.iterdir()
            if path.suffix.lower() == ".json" and not path.name.startswith(".")
        )
    except FileNotFoundError:
        return []
    except OSError as error:
        return [FoundTrack(shown_path(folder), folder, None, (error.strerror or "it cannot be read",))]
    found = []
    files_of: dict[str, str] = {}
    for number, path in enumerate(files):
        file_name = shown_path(Path(path.name))
        if number >= MOST_OWN_TRACKS:
            fault = f"only the first {MOST_OWN_TRACKS} files of the folder are read"
            if more := len(files) - number - 1:
                fault += f"; this one is not, nor are {more} more"
            found.append(FoundTrack(file_name, path, None, (fault,)))
            break
        try:
            if path.suffix != ".json":
                raise BadTrack(["its name must end in .json, in lower case"])
            facts = _read_track(path)
            if facts.id in track_names():
                raise BadTrack([_of_box(facts)])
            if facts.id in files_of:
                raise BadTrack([f"id: {facts.id!r} is already the id of {files_of[facts.id]}"])
        except BadTrack as error:
            found.append(FoundTrack(file_name, path, None, tuple(error.faults)))
        else:
            files_of[facts.id] = file_name
            found.append(FoundTrack(facts.id, path, facts))
    return found


def give_output_up() -> None:
    """Send nowhere what a program has still to print: its output cannot be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def require_regular(path: Path) -> None:
    """Refuse pipes and devices, which could keep a reader waiting or reading for ever; a new file is welcome.

    Raises:
        OSError: It is none that can be read to its end.
    """
    if path.exists() and not path.is_dir() and not path.is_file():
        raise OSError(errno.EINVAL, "Not a regular file", str(path))


def read_beginning(path: Path, most_bytes: int) -> bytes:
    """Read the beginning of an ordinary file; a pipe or a device could keep its reader waiting for ever.

    Raises:
        OSError: It cannot be read, or is no ordinary file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(most_bytes) or b""  # None where it would have to wait
    finally:
        os.close(descriptor)


def write_whole(path: Path, data: bytes, *, is_synced: bool = False) -> None:
    """Put a file in its place whole or not at all.

    Args:
        path: In a folder that exists.
        is_synced: Whether it is on disk when this returns.

    Raises:
        OSError: It cannot be written; the file that was there before still is.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(data)
            if is_synced:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:  # on a full disk, what is left of the file would keep it so
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
