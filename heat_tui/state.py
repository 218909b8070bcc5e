"""Where the client keeps files, and its settings.

Everything here survives broken, missing and foreign files: they count as absent. Nothing that cannot be
written stops a race.
"""

from __future__ import annotations

import contextlib
import fcntl
import getpass
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import msgspec

from heat_core.drivers import BotName
from heat_core.files import user_folder, write_whole
from heat_core.names import MOST_NAME_CELLS, BadName, clean_name
from heat_core.race.setup import Colour
from heat_tui.keys.table import sound_changes
from heat_tui.map.marks import MapStyle
from heat_tui.terminal.notification import Notification

if TYPE_CHECKING:
    from heat_core.wire.address import Address
    from heat_tui.door_way import DoorWay

PROGRAM: Final = "heat-tui"

SETTINGS_FILE: Final = "settings.json"
CRASH_FILE: Final = "crash.txt"

DEFAULT_NAME: Final = "You"

Animation: TypeAlias = Literal["normal", "quick", "off"]
"""How fast cards turn up and cars drive."""
PACES: Final[dict[Animation, float]] = {"normal": 1.0, "quick": 0.33, "off": 0.0}
"""How long each thing is looked at, in times of the usual."""

BellOccasion: TypeAlias = Literal["turn", "time", "spin-out", "end"]
"""What the terminal's bell can ring for; see `heat_tui.race.bell`."""

News: TypeAlias = Literal["now", "later"]
"""When plain mode says what others do: as it happens, or once something was typed or is asked."""
WordLevel: TypeAlias = Literal["few", "usual", "all"]
"""How much plain mode says."""

ThemeChoice: TypeAlias = Literal["auto", "night", "light", "contrast", "terminal"]
"""Which colours: a theme, the one that suits the terminal's ground, or the terminal's own 16."""
_OLD_THEMES: Final[Mapping[object, ThemeChoice]] = {
    "heat-night": "night",
    "heat-day": "light",
    "ansi-dark": "terminal",
}
"""The names that themes had up to release 0.2."""


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player likes.

    Attributes:
        name: As other players see it; empty: not yet said.
        animation: How fast cars move space by space; "off" is reduced motion: nothing moves or flashes.
        ascii: Whether to draw with plain ASCII only.
        theme: Which colours.
        map: How the map is drawn.
        server: The address typed last.
        nearby: Whether to look for servers on the local network.
        replays: Whether every finished race is kept as a record.
        bell: Whether the terminal's bell rings.
        bell_at: What for.
        notification: By which sequence the desktop is asked to announce your turn at a server while you look
            elsewhere.
        hints: Whether the next race explains what happens for the first time.
        ghost: Whether the best own race on the board drives along, in races at one's own keyboard.
        plain_line: Whether a line above the first screen says where plain mode is.
        news: When plain mode says what others do.
        words: How much plain mode says.
        bots: Those of the last race of one person that was set up here.
        legends: How many Legends that race had; None: as many as there was room for.
        keys: The keys that are not the usual ones, by the name of what they do; see `heat_tui.keys.table`.
    """

    name: str = ""
    colour: Colour = "red"
    animation: Animation = "normal"
    ascii: bool = False
    theme: ThemeChoice = "auto"
    map: MapStyle = "smooth"
    server: str = ""
    nearby: bool = True
    replays: bool = True
    bell: bool = False
    bell_at: tuple[BellOccasion, ...] = ("turn", "time", "spin-out", "end")
    notification: Notification = "off"
    hints: bool = True
    ghost: bool = True
    plain_line: bool = True
    news: News = "now"
    words: WordLevel = "usual"
    bots: tuple[BotName, ...] = ()
    legends: int | None = None
    keys: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def player_name(self) -> str:
        """The name to race under: the one that was chosen, else that of the login."""
        return self.name or login_name()


class Folders(NamedTuple):
    """Where files go, and what a player may do who is a guest on this machine.

    Attributes:
        config: For the settings.
        state: For tokens, and for what a server started from here prints.
        data: For what the player may want to keep: records and positions.
        guest_of: The server whose door the player came in by. Guests reach no other server, and write no
            file for themselves: they could not fetch it. None: a player at this machine.
        door_way: How a guest reaches that server; None: over the network, as players at this machine do.
        plain_way: How a guest starts plain mode; "": as players at this machine do.
    """

    config: Path
    state: Path
    data: Path
    guest_of: Address | None = None
    door_way: DoorWay | None = None
    plain_way: str = ""


GUESTS_WRITE_NOTHING: Final = "Guests cannot write files: they would stay on the other machine."


def user_folders() -> Folders:
    """Give the folders that this system has for such files; nothing is created."""
    return Folders(
        user_folder("config", PROGRAM),
        user_folder("state", PROGRAM),
        user_folder("data", PROGRAM),
    )


def load_settings(folders: Folders) -> Settings:
    """Read the settings; what is missing or wrong in the file is as if never set."""
    try:
        found = msgspec.json.decode(_settings_path(folders).read_bytes(), type=dict[str, object])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Settings()
    if (theme := found.get("theme")) in _OLD_THEMES:
        found["theme"] = _OLD_THEMES[theme]
    settings = Settings()
    for field in msgspec.structs.fields(Settings):
        try:
            one = msgspec.convert({field.name: found[field.name]}, Settings)
        except (KeyError, msgspec.ValidationError):
            continue
        settings = msgspec.structs.replace(settings, **{field.name: getattr(one, field.name)})
    name, server = "", settings.server if settings.server.isprintable() else ""
    with contextlib.suppress(BadName):  # signs that drive the terminal, or too many
        name = clean_name(settings.name)
    return msgspec.structs.replace(settings, name=name, server=server, keys=sound_changes(found.get("keys")))


def save_settings(folders: Folders, settings: Settings) -> bool:
    """Write the settings whole or not at all, and return whether that was possible."""
    data = msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n"
    return try_write(_settings_path(folders), data)


def try_write(path: Path, data: bytes) -> bool:
    """Put a file in its place whole or not at all, and return whether that was possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError:
        return False
    return True


def dated_files(folder: Path, pattern: str) -> list[tuple[float, Path]]:
    """List the files of a folder, newest first, with their times in seconds; what vanishes is left out."""
    dated = []
    with contextlib.suppress(OSError):  # no folder, or none that may be read
        for path in folder.glob(pattern):
            with contextlib.suppress(OSError):
                dated.append((path.stat().st_mtime_ns / 1e9, path))
    return sorted(dated, reverse=True)


def login_name() -> str:
    """Offer the name of the person at this machine."""
    try:
        return clean_name(getpass.getuser()[:MOST_NAME_CELLS])
    except (BadName, OSError, KeyError, ImportError):
        return DEFAULT_NAME


def _settings_path(folders: Folders) -> Path:
    return folders.config / SETTINGS_FILE


def lock(descriptor: int) -> bool:
    """Lock an open file for this process, and return whether no other has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def keep_crash(folders: Folders, error: BaseException) -> str:
    """Write down what broke; gives where the details are, or the details where they cannot be written.

    A guest reads nothing of either: the file and what stands in it are the host's.
    """
    details = "".join(traceback.format_exception(error))
    path = folders.state / CRASH_FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(details)
    except OSError:
        return details if folders.guest_of is None else "its details could not be written down"
    if folders.guest_of is not None:
        return "the host of this door can read the details"
    return f"the details are in {path}"


def broken_there(folders: Folders, error: BaseException) -> str:
    """Say in a sentence that what a server told broke the showing of it, and write down how."""
    where = keep_crash(folders, error)
    return f"The server sent what cannot be shown ({type(error).__name__}), so you have left it: {where}."
