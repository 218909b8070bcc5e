"""A stay at a server in lines: finding a room, waiting in it, racing, and what comes after the race."""

from __future__ import annotations

from typing import Final

from heat_core.names import clean_name
from heat_core.race.setup import Colour
from heat_core.text import counted
from heat_core.wire import messages as m
from heat_core.wire.codes import ErrorCode
from heat_tui.client.company import Company
from heat_tui.client.connection import ConnectFailed, ConnectionLost, RequestRefused
from heat_tui.client.feed import Feed
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.home import go_back_question
from heat_tui.flow.way_back import seats_at
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import GoneBack, answered
from heat_tui.plain.hints import race_with_hints
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.naming import name_for_others
from heat_tui.plain.room import PlainRoom
from heat_tui.plain.talk import Talk
from heat_tui.saved.records import keep_records
from heat_tui.state import Folders, broken_there, load_settings

_STATES = {"lobby": "open", "racing": "racing", "between": "between two races", "ended": "finished"}

_NAMES: Final = "Everybody in a room needs a different name; leave goes back to the rooms."


class ShutOut(Exception):
    """No room could be entered; why was told."""


async def play_there(
    voice: LineTerminal,
    folders: Folders,
    stay: ServerStay,
    *,
    name: str | None,
    colour: Colour,
    code: str | None = None,
    is_watching: bool = False,
    is_host: bool = False,
    is_forgotten: bool = False,
) -> None:
    """Find a room and play in it, until it is left.

    Args:
        visit: Connected; it may be in a room already.
        name: None: that of the settings, or what is asked for.
        code: Of the room; None: it is asked for.
        is_watching: Only look on.
        is_host: Open a room at once.
        is_forgotten: The server ends with this program: there is nothing to come back to.

    Raises:
        ShutOut: The server lets nobody in.
        Left: Whoever typed is gone.
    """
    voice.farewell = "You leave the server."
    is_left = False
    try:
        if stay.link.room is None:
            back = None if is_host else await _go_back(voice, folders, stay, code)
            if back is not None:
                stay = back
            else:
                name = name or await name_for_others(voice, folders)
                entrance = _Entrance(voice, folders, stay, name, colour)
                is_in = await entrance.enter(code, is_watching=is_watching, is_host=is_host)
                stay = entrance.stay
                if not is_in:
                    return
        is_left = await _stay(voice, folders, stay)
    except GoneBack:
        return
    except (Left, ShutOut):
        raise
    except Exception as error:  # whatever breaks over a server's news ends the stay there, nothing else
        voice.say(broken_there(folders, error))
    finally:
        if is_left:
            await stay.leave()
        else:
            await stay.close(is_forgotten=is_forgotten)


async def _go_back(
    voice: LineTerminal, folders: Folders, stay: ServerStay, code: str | None
) -> ServerStay | None:
    """Offer the seats that the player has at a server, or in one of its rooms.

    Returns:
        The visit that leads on from the one that was taken, in place of the one given; None: none was.
    """
    for seat in await seats_at(folders, stay.link.address, code):
        if await voice.agrees(go_back_question(seat)):
            try:
                back = await ServerStay.rejoin(folders, seat)
            except (ConnectFailed, RequestRefused) as error:
                voice.say(error.text)
                continue
            await stay.close()
            return back
    return None


class _Entrance:
    """The way into a room.

    Attributes:
        visit: The one that it leads on with: another one where a saved seat was taken.
    """

    def __init__(
        self, voice: LineTerminal, folders: Folders, stay: ServerStay, name: str, colour: Colour
    ) -> None:
        self.stay = stay
        self._voice = voice
        self._folders = folders
        self._name = name
        self._colour = colour

    async def enter(self, code: str | None, *, is_watching: bool, is_host: bool) -> bool:
        """Open a room at once, or ask for one until it is entered; False: the server is left.

        Raises:
            ShutOut: The server lets nobody in.
        """
        try:
            if not is_host:
                return await self._find(code, is_watching=is_watching)
            await self.stay.create(self._name, self._colour, m.RoomOptions())
        except (RequestRefused, ConnectionLost) as error:
            self._voice.say(error.text)
            raise ShutOut from None
        return True

    async def _find(self, code: str | None, *, is_watching: bool) -> bool:
        """Ask for a room until one is entered; False: the server is left.

        Raises:
            RequestRefused: The server says no to everything.
            ConnectionLost: The line dropped.
        """
        if code is not None and await self._enter(code, is_watching=is_watching, is_offered=True):
            return True
        await self._tell_rooms()
        while True:
            line = await self._voice.ask(
                "Type a room's code to join, watch and a code, new for a room of your own, rooms for the "
                "list, or leave. For example: new"
            )
            word, _, rest = line.casefold().partition(" ")
            if is_leaving(line):
                return False
            if is_asking(line):
                self._voice.say(
                    "A room is a table for a race or a championship; its host knows its code. new "
                    "opens one with you as the host, watch and a code lets you watch, rooms lists the rooms."
                )
            elif word in ("rooms", ""):
                await self._tell_rooms()
            elif word == "new":
                await self.stay.create(self._name, self._colour, m.RoomOptions())
                return True
            elif await self._enter(rest if word == "watch" else word, is_watching=word == "watch"):
                return True

    async def _tell_rooms(self) -> None:
        rooms = await self.stay.rooms()
        if not rooms:
            self._voice.say("There are no rooms yet.")
            return
        tracks = {track.id: track.name for track in await self.stay.tracks()}
        for room in rooms:
            state = _STATES[room.phase] if room.phase != "lobby" or room.has_place else "full"
            text = (
                f"{room.code}: {tracks.get(room.track, room.track)}, {counted(room.laps, 'lap')}, "
                f"{room.players} of {room.cars} cars"
            )
            private = ", private" if room.is_private else ""
            self._voice.say(f"{text}, {state}{private}, host {room.host}.")

    async def _enter(self, code: str, *, is_watching: bool, is_offered: bool = False) -> bool:
        """Join or watch; ask for the password, and whether to watch what has begun, where that is needed.

        Args:
            is_offered: A seat that the player has there was offered already.
        """
        if not (code.isascii() and code.isalnum() and len(code) <= 16):
            self._voice.say("The code of a room has letters and digits only.")
            return False
        if not is_offered:
            back = await _go_back(self._voice, self._folders, self.stay, code)
            if back is not None:
                self.stay = back
                return True
        password: str | None = None
        while True:
            try:
                if is_watching:
                    await self.stay.watch(code, self._name, password)
                else:
                    await self.stay.join(code, self._name, self._colour, password)
                return True
            except RequestRefused as error:
                self._voice.say(error.text)
                if error.code == ErrorCode.WRONG_PASSWORD:
                    password = (await self._voice.ask("The room's password; Enter alone goes back"))[:64]
                    if not password:
                        return False
                elif error.code == ErrorCode.ROOM_BEGUN and not is_watching:
                    if not await self._voice.agrees("That race has started. Watch it?"):
                        return False
                    is_watching = True
                elif error.code == ErrorCode.NAME_TAKEN:
                    try:
                        self._name = await answered(
                            self._voice, "Another name, for example: Ana 2", clean_name, lambda: [_NAMES]
                        )
                    except GoneBack:
                        return False
                else:
                    return False


async def _stay(voice: LineTerminal, folders: Folders, stay: ServerStay) -> bool:
    """Wait and race in a room; tell whether it was left for good."""
    link = stay.link
    while link.room is None and link.ended is None:
        await link.wait(link.changes)
    tracks = {track.id: track.name for track in await stay.tracks()}
    talk = Talk(voice, Company(link))
    room = PlainRoom(stay, voice, talk, tracks)
    raced: Feed | None = None
    while True:
        voice.farewell = "You leave the room."
        way = await room.run(raced)
        if way != "race":
            return way == "left"
        raced = link.race
        session = stay.race_session()
        end = await race_with_hints(session, voice, folders, talk)
        if end == "over":
            await keep_records(folders, load_settings(folders), await session.records())
        if end == "left":
            return False
        if end == "closed" and link.ended is not None:
            return False
