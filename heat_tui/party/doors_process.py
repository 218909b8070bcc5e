"""The process with the doors of a party: it opens them, says what happens there, and ends with its input."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from heat_core.wire.address import parse_address
from heat_tui.doors.guest_folders import GuestFolders
from heat_tui.doors.house import House, HouseSettings
from heat_tui.doors.news import News, Way
from heat_tui.doors.running import Door, NotOpened, PortInUse, close_all
from heat_tui.installation import what_is_missing
from heat_tui.party.messages import (
    TO_DOORS,
    FromDoors,
    NotOpen,
    OpenDoors,
    Ready,
    RemoveGuest,
    SshOpen,
    Told,
    WebOpen,
    line_of,
)
from heat_tui.state import user_folders

MOST_GUESTS: Final = 30
MOST_GUESTS_FROM_ADDRESS: Final = 30
"""At a party many sit behind one router."""

IDLE_SECONDS: Final = 30 * 60.0


async def run() -> int:
    """Open the doors that the first line of the input names, and close them when the input ends.

    Returns:
        The exit code: 1 where a fault has closed them.
    """
    asked = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
    wish = TO_DOORS.decode(await asked.readline())
    assert isinstance(wish, OpenDoors)
    folders = GuestFolders(user_folders().state / "guests")
    house = House(house_settings(wish), folders, lambda news: _say(Told(news)))
    doors: list[Door] = []
    try:
        await _open("ssh", wish.ssh, lambda port: _open_ssh(house, wish, port, doors))
        await _open("web", wish.web, lambda port: _open_web(house, wish, port, doors))
        _say(Ready())
        hearing = loop.create_task(_hear(asked, house))
        broken = loop.create_task(house.is_broken.wait())
        await asyncio.wait([hearing, broken], return_when=asyncio.FIRST_COMPLETED)
        hearing.cancel()
        broken.cancel()
    finally:
        await close_all(doors)
    return int(house.is_broken.is_set())


def house_settings(wish: OpenDoors) -> HouseSettings:
    """Say what is the same at all doors of a party."""
    server, socket = parse_address(wish.server), Path(wish.door_socket)
    return HouseSettings(server, MOST_GUESTS, MOST_GUESTS_FROM_ADDRESS, IDLE_SECONDS, socket)


async def _open(way: Way, ports: Sequence[int], opening: Callable[[int], Awaitable[FromDoors]]) -> None:
    """Open a door at the first port that is free, and say how, or why not: the others open all the same."""
    for port in ports:
        try:
            _say(await opening(port))
        except PortInUse as error:
            if port == ports[-1]:
                tried = f"The ports {ports[0]} to {port} are all in use. Choose another with --{way}."
                _say(NotOpen(way, tried if len(ports) > 1 else str(error)))
        except NotOpened as error:
            _say(NotOpen(way, str(error)))
            return
        else:
            return


async def _open_ssh(house: House, wish: OpenDoors, port: int, doors: list[Door]) -> FromDoors:
    if missing := what_is_missing("asyncssh", "ssh", "doors"):
        raise NotOpened(missing)
    from heat_tui.doors.host_key import BadHostKey, host_key
    from heat_tui.doors.settings import SshSettings
    from heat_tui.doors.ssh import SshDoor

    settings = SshSettings(wish.host, port, wish.password, is_password_shown=False, authorized_keys=None)
    try:
        door = SshDoor(settings, host_key(user_folders().state), house)
    except BadHostKey as error:
        raise NotOpened(str(error)) from None
    doors.append(door)
    await door.open()
    return SshOpen(door.port, door.fingerprint)


async def _open_web(house: House, wish: OpenDoors, port: int, doors: list[Door]) -> FromDoors:
    if missing := what_is_missing("aiohttp", "the page for browsers", "doors"):
        raise NotOpened(missing)
    from heat_tui.browser.door import BrowserDoor
    from heat_tui.browser.settings import BrowserSettings

    door = BrowserDoor(BrowserSettings(wish.host, port, wish.secret), house)
    doors.append(door)
    await door.open()
    return WebOpen(door.port)


async def _hear(asked: asyncio.StreamReader, house: House) -> None:
    """Do what the card asks, until it is gone."""
    while line := await asked.readline():
        match TO_DOORS.decode(line):
            case RemoveGuest(number):
                house.remove(number)
            case OpenDoors():
                house.tell(News("warning", "The doors are open already."))


def _say(message: FromDoors) -> None:
    """Say something to the card; where it is gone, the end of the input says so too."""
    try:
        sys.stdout.buffer.write(line_of(message))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        pass


def main() -> None:
    """Run until the input ends; signals of the terminal are for the card."""
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    sys.exit(asyncio.run(run()))


if __name__ == "__main__":
    main()
