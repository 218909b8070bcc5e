"""Finding a server in lines: seats that can be gone back to, servers nearby, or an address."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import msgspec

from heat_core.text import counted
from heat_core.wire.address import Address, BadAddress, parse_address
from heat_tui.client.connection import ConnectFailed, RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.flow.home import seat_text
from heat_tui.nearby import NearbyServer, NoNetwork
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.server import ShutOut, play_there
from heat_tui.state import Folders, load_settings, save_settings

Watch: TypeAlias = Callable[[Callable[[Sequence[NearbyServer]], None]], Awaitable[None]]
"""Looks for servers until cancelled, as `watch_nearby` does, and calls what it is given with all of them."""

_Way: TypeAlias = SavedSession | NearbyServer
"""What has a number in the list."""


async def join_somewhere(voice: LineTerminal, folders: Folders, watch: Watch | None) -> None:
    """Find a server and play there, until that is left.

    Args:
        watch: Looks for servers nearby; None: nobody does.
    """
    await _Joining(voice, folders).run(watch)


async def go_back_to(voice: LineTerminal, folders: Folders, saved: SavedSession) -> bool:
    """Go back to a room and play there until it is left; False: that did not work, and why was told."""
    voice.say(f"Going back to room {saved.code} at {saved.address}.")
    try:
        stay = await ServerStay.rejoin(folders, saved)
    except (ConnectFailed, RequestRefused) as error:
        voice.say(error.text)
        return False
    return await _stay_at(voice, folders, stay)


async def play_at(voice: LineTerminal, folders: Folders, address: Address, *, is_host: bool = False) -> bool:
    """Connect, find a room and play there until it is left; False: that did not work, and why was told.

    Args:
        is_host: Open a room at once.
    """
    voice.say(f"Connecting to {address}.")
    try:
        stay = await ServerStay.begin(folders, address)
    except ConnectFailed as error:
        voice.say(error.text)
        return False
    return await _stay_at(voice, folders, stay, is_host=is_host)


async def _stay_at(voice: LineTerminal, folders: Folders, stay: ServerStay, *, is_host: bool = False) -> bool:
    settings = load_settings(folders)
    try:
        await play_there(
            voice,
            folders,
            stay,
            name=None,
            colour=settings.colour,
            is_host=is_host,
        )
    except ShutOut:
        return False
    return True


class _Joining:
    """The question for a server, while others are heard of."""

    def __init__(self, voice: LineTerminal, folders: Folders) -> None:
        self._voice = voice
        self._folders = folders
        self._ways: list[_Way] = [*saved_sessions(folders)]
        self._untold = 0
        self._news = asyncio.Event()
        self._is_networkless = False

    async def run(self, watch: Watch | None) -> None:
        """Ask until somebody has played somewhere, or that is left."""
        watching = None if watch is None else asyncio.create_task(self._watch(watch))
        if watching is not None:
            self._voice.say("Looking for servers nearby; each appears when it answers.")
        try:
            while True:
                self._tell()
                self._voice.prompt(self._question())
                line = await self._voice.heard(self._news.wait())
                if line is not None and (is_leaving(line) or await self._has_played(line)):
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
            self._voice.say("This machine has no network to look for servers on.")
        for number, way in enumerate(self._ways[self._untold :], start=self._untold + 1):
            self._voice.say(f"{number}: {_way_text(way)}.")
        self._untold = len(self._ways)

    def _question(self) -> str:
        number = "the number of one of these, or " if self._ways else ""
        usual = self._usual
        enter = f" Enter takes {usual}." if usual else ""
        return f"Type {number}a server's address, or leave.{enter} For example: {usual or '192.0.2.7:7777'}"

    @property
    def _usual(self) -> str:
        """What Enter takes: the server of the last time, else the first of the list."""
        return load_settings(self._folders).server or ("1" if self._ways else "")

    async def _has_played(self, line: str) -> bool:
        if is_asking(line):
            self._voice.say(
                "An address is a name or a number, with a port if it is not 7777, such as 192.0.2.7:7778. "
                "The lobby of a room shows it to its host."
            )
            self._untold = 0
            return False
        try:
            return await self._goes_to(line or self._usual)
        except (BadAddress, BadAnswer) as error:
            self._voice.say(str(error))
            return False

    async def _goes_to(self, text: str) -> bool:
        if not text.isdecimal():
            return await self._connects(parse_address(text))
        if not self._ways:
            raise BadAnswer("There is no list yet: type an address.")
        way = self._ways[read_number(text, 1, len(self._ways), "A number of the list") - 1]
        if isinstance(way, SavedSession):
            return await go_back_to(self._voice, self._folders, way)
        if not way.is_speaking_ours:
            raise BadAnswer(f"{way.name} has version {way.version}, which does not speak with this one.")
        return await self._connects(way.address)

    async def _connects(self, address: Address) -> bool:
        has_played = await play_at(self._voice, self._folders, address)
        if has_played:
            settings = load_settings(self._folders)
            save_settings(self._folders, msgspec.structs.replace(settings, server=str(address)))
        return has_played


def _way_text(way: _Way) -> str:
    if isinstance(way, SavedSession):
        return f"back to {seat_text(way)}"
    rooms = "" if way.rooms is None else f", {counted(way.rooms, 'room')}"
    version = "" if way.is_speaking_ours else f", version {way.version}, which does not speak with this one"
    return f"{way.name}, nearby at {way.address}{rooms}{version}"
