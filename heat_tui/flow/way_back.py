"""Which saved seats belong to a server: the client offers them first, whichever way the player joins."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Final, NamedTuple

from heat_core.wire.address import Address, BadAddress, parse_address
from heat_tui.client.connect_failed import CertificateChanged, ConnectFailed, Notice
from heat_tui.client.connection import RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.state import Folders

LOOK_UP_SECONDS: Final = 2.0


class NoWayBack(NamedTuple):
    """Why a saved seat could not be taken.

    Attributes:
        text: In one sentence.
        notice: What must be read besides.
    """

    text: str
    notice: Notice | None = None


async def seats_at(folders: Folders, address: Address, code: str | None = None) -> list[SavedSession]:
    """List the seats at a server that no other window has, newest first.

    Args:
        address: The server's; the saved one may be another name of the same machine.
        code: Of a room there; None: any.
    """
    saved = saved_sessions(folders)
    if code is not None:
        saved = [seat for seat in saved if seat.code == code.upper()]
    return [seat for seat in saved if seat.is_at(address) or await _is_same(seat.address, address)]


async def rejoin(folders: Folders, seat: SavedSession, say: Callable[[str], None]) -> ServerStay | NoWayBack:
    """Take a saved seat; gives why not, if that does not work.

    Args:
        folders: Where it is saved.
        seat: Which one.
        say: Called with what is waited for, if that takes longer.
    """
    try:
        return await ServerStay.rejoin(folders, seat, say)
    except CertificateChanged as error:
        return NoWayBack(error.outcome, error.notice)
    except (ConnectFailed, RequestRefused) as error:
        return NoWayBack(error.text)


async def _is_same(saved: str, address: Address) -> bool:
    if saved == str(address):
        return True
    try:
        other = parse_address(saved)
    except BadAddress:
        return False
    if (other.port, other.is_tls) != (address.port, address.is_tls):
        return False
    first, second = await asyncio.gather(_numbers(other), _numbers(address))
    return not first.isdisjoint(second)


async def _numbers(address: Address) -> set[str]:
    """Give the numbers that a name stands for; none where that cannot be said soon."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(LOOK_UP_SECONDS):
            found = await loop.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return set()
    return {str(place[4][0]) for place in found}
