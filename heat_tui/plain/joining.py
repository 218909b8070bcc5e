"""Finding a server in lines: saved seats, servers nearby, or an address."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import msgspec

from heat_core.text import counted
from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.flow.home import seat_text
from heat_tui.flow.joining import JoinController
from heat_tui.nearby import NearbyServer, NoNetwork
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, GoneBack, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.server import LineAsker, ShutOut, play_there
from heat_tui.state import Folders, load_settings, save_settings

Watch: TypeAlias = Callable[[Callable[[Sequence[NearbyServer]], None]], Awaitable[None]]
"""Looks for servers until cancelled, as `watch_nearby` does, and calls what it is given with all of them."""

_Way: TypeAlias = SavedSession | NearbyServer
"""What has a number in the list."""


async def join_somewhere(terminal: LineTerminal, folders: Folders, watch: Watch | None) -> None:
    """Find a server and play there, until that is left.

    Args:
        watch: Looks for servers nearby; None: nobody does.
    """
    await _Joining(terminal, folders).run(watch)


async def go_back_to(terminal: LineTerminal, folders: Folders, saved: SavedSession) -> bool:
    """Go back to a room and play there until it is left; False: that did not work, and why was said."""
    joining = JoinController(folders, LineAsker(terminal))
    return await _has_played(terminal, folders, joining, await joining.rejoin(saved))


async def play_at(terminal: LineTerminal, folders: Folders, address: str, *, is_host: bool = False) -> bool:
    """Connect, find a room and play there until it is left; False: that did not work, and why was said.

    Args:
        is_host: Open a room at once.
    """
    joining = JoinController(folders, LineAsker(terminal))
    refusal = await joining.connect(address)
    has_played = await _has_played(terminal, folders, joining, refusal, is_host=is_host)
    if has_played and not is_host:
        settings = load_settings(folders)
        server = str(joining.here.link.address)
        save_settings(folders, msgspec.structs.replace(settings, server=server))
    return has_played


async def _has_played(
    terminal: LineTerminal,
    folders: Folders,
    joining: JoinController,
    refusal: str,
    *,
    is_host: bool = False,
) -> bool:
    """Play at the server of a stay; or say why there is none."""
    if refusal:
        terminal.say(refusal)
        return False
    colour = load_settings(folders).colour
    try:
        await play_there(terminal, folders, joining.here, name=None, colour=colour, is_host=is_host)
    except ShutOut:
        return False
    return True


class _Joining:
    """The question for a server, while others are heard of."""

    def __init__(self, terminal: LineTerminal, folders: Folders) -> None:
        self._terminal = terminal
        self._folders = folders
        self._ways: list[_Way] = [*saved_sessions(folders)]
        self._untold = 0
        self._news = asyncio.Event()
        self._is_networkless = False

    async def run(self, watch: Watch | None) -> None:
        """Ask until somebody has played somewhere, or that is left."""
        watching = None if watch is None else asyncio.create_task(self._watch(watch))
        if watching is not None:
            self._terminal.say("Looking for servers nearby; each appears when it answers.")
        try:
            while True:
                self._tell()
                self._terminal.prompt(self._question(), self)
                line = await self._terminal.heard(self._news.wait())
                if line is not None and self._terminal.is_late:
                    self._terminal.refuse_late(line)
                elif line is not None and (is_leaving(line) or await self._has_played(line)):
                    return
        finally:
            if watching is not None:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)

    async def _watch(self, watch: Watch) -> None:
        try:
            await watch(self._hear)
        except NoNetwork:
            self._is_networkless = True
            self._news.set()

    def _hear(self, servers: Sequence[NearbyServer]) -> None:
        known = [way.address for way in self._ways if isinstance(way, NearbyServer)]
        self._ways += [server for server in servers if server.address not in known]
        if len(self._ways) > self._untold:
            self._news.set()

    def _tell(self) -> None:
        self._news.clear()
        if self._is_networkless:
            self._is_networkless = False
            self._terminal.say("This machine is not on a network, so it cannot look for servers.")
        for number, way in enumerate(self._ways[self._untold :], start=self._untold + 1):
            enter = "; Enter takes it" if str(number) == self._usual else ""
            self._terminal.say(f"{number}: {_way_text(way, self._folders)}{enter}.")
        self._untold = len(self._ways)

    def _question(self) -> str:
        usual = self._usual
        enter = f"Enter takes {usual}. " if usual else ""
        return (
            f"{enter}Type a server's address, the number of one that is named, or leave. "
            f"For example: {usual or '192.0.2.7:7777'}"
        )

    @property
    def _usual(self) -> str:
        """What Enter takes: the server of the last time, else the first of the list."""
        return load_settings(self._folders).server or ("1" if self._ways else "")

    async def _has_played(self, line: str) -> bool:
        if is_asking(line):
            self._terminal.say(
                "An address is a name or a number, with a port if it is not 7777, such as 192.0.2.7:7778. "
                "tls:// before it encrypts the connection. "
                "The lobby of a room shows it to its host."
            )
            self._untold = 0
            return False
        return await self._goes_to(line or self._usual)

    async def _goes_to(self, text: str) -> bool:
        try:
            return await self._has_played_at(text)
        except GoneBack:  # while a server had not answered
            return False

    async def _has_played_at(self, text: str) -> bool:
        if not text.isdecimal():
            return await play_at(self._terminal, self._folders, text)
        try:
            number = read_number(text, 1, len(self._ways), "The choice") if self._ways else 0
        except BadAnswer as error:
            self._terminal.say(str(error))
            return False
        if not number:
            self._terminal.say("There is no list yet. Type an address.")
            return False
        way = self._ways[number - 1]
        if isinstance(way, SavedSession):
            return await go_back_to(self._terminal, self._folders, way)
        if not way.is_speaking_ours:
            self._terminal.say(f"{way.name} has version {way.version}, which does not fit this one.")
            return False
        return await play_at(self._terminal, self._folders, str(way.address))


def _way_text(way: _Way, folders: Folders) -> str:
    if isinstance(way, SavedSession):
        return f"back to {seat_text(way, folders)}"
    rooms = "" if way.rooms is None else f", {counted(way.rooms, 'room')}"
    version = "" if way.is_speaking_ours else f", version {way.version}, which does not fit this one"
    also = f", also by {way.other_ways}" if way.other_ways else ""
    return f"{way.name}, nearby at {way.address}{rooms}{version}{also}"
