"""A stay on a server in lines: finding a room, its lobby, the race, and what follows."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import msgspec

from heat_core.names import clean_name
from heat_core.race.setup import Colour
from heat_core.text import counted
from heat_tui.client.connect_failed import Notice
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.feed import Feed
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.invitation import WaysIn
from heat_tui.flow.joining import Entrance, JoinController, Player
from heat_tui.flow.lobby import LobbyController
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import GoneBack, answered
from heat_tui.plain.hints import race_with_hints
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.meanwhile import until_answered
from heat_tui.plain.review import Review
from heat_tui.plain.room import PlainRoom
from heat_tui.plain.talk import Talk
from heat_tui.saved.keeping import keep_races
from heat_tui.state import Folders, broken_there, load_settings, login_name, save_settings

Given = TypeVar("Given")

_NAMES: Final = "Everybody in a room needs a different name. leave goes back to the rooms."


class ShutOut(Exception):
    """No room could be entered; why was shown."""


class LineAsker:
    """Asks in lines what the way into a room asks."""

    def __init__(self, terminal: LineTerminal) -> None:
        """Ask by a terminal."""
        self._terminal = terminal

    def say(self, text: str) -> None:
        """Say one sentence."""
        self._terminal.say(text)

    async def answered(self, asking: Coroutine[Any, Any, Given]) -> Given:
        """Wait for a server; what is typed meanwhile is heard.

        Raises:
            GoneBack: Whoever types does not wait any longer.
        """
        return await until_answered(self._terminal, asking)

    async def agrees(self, question: str) -> bool:
        """Ask for yes or no."""
        return await self._terminal.agrees(question)

    async def password(self, told: str) -> str:
        """Ask for a line; an empty one goes back."""
        self._terminal.say(told)
        return await self._terminal.ask("The room's password; Enter alone goes back")

    async def other_name(self, told: str) -> str:
        """Ask until there is a name, or that is left."""
        self._terminal.say(told)
        try:
            question = "Another name, for example: Ana 2"
            return await answered(self._terminal, question, clean_name, lambda: [_NAMES])
        except GoneBack:
            return ""

    async def warn(self, notice: Notice) -> None:
        """Say the lines, which need no title."""
        for line in notice.lines:
            self._terminal.say(line)

    async def hang_up(self, stay: ServerStay) -> None:
        """Close the stay."""
        await stay.close()


async def play_there(
    terminal: LineTerminal,
    folders: Folders,
    stay: ServerStay,
    *,
    name: str | None,
    colour: Colour,
    code: str | None = None,
    is_watching: bool = False,
    is_host: bool = False,
    is_forgotten: bool = False,
    ways_in: WaysIn = lambda address, code: (),
) -> None:
    """Find a room and play in it, until it is left.

    Args:
        stay: Connected; it may be in a room already.
        name: None: that of the settings, or what is asked for.
        code: Of the room; None: it is asked for.
        is_watching: Only watch.
        is_host: Open a room at once.
        is_forgotten: The server ends with this program: there is nothing to come back to.
        ways_in: Lists every way into a room at a server that is held from here.

    Raises:
        ShutOut: The server lets nobody in.
        Left: Whoever typed is gone.
    """
    terminal.farewell = "You have left the server."
    if stay.link.certificate_news:
        terminal.say(stay.link.certificate_news)
    joining = JoinController(folders, LineAsker(terminal), stay)
    is_left = False
    try:
        if stay.link.room is None and (is_host or not await joining.go_back(code)):
            player = Player(name or await _name_for_others(terminal, folders), colour)
            if is_host:
                await joining.create(player)
            elif not await _Entrance(terminal, joining, player).find(code, is_watching=is_watching):
                return
        is_left = await _stay(terminal, folders, joining.here, ways_in)
    except GoneBack:
        return
    except (RequestRefused, ConnectionLost) as error:
        terminal.say(error.text)
        raise ShutOut from None
    except Left:
        raise
    except Exception as error:  # whatever breaks over a server's news ends the stay there, nothing else
        terminal.say(broken_there(folders, error))
    finally:
        if is_left:
            await joining.here.leave()
        else:
            await joining.here.close(is_forgotten=is_forgotten)


async def _name_for_others(terminal: LineTerminal, folders: Folders) -> str:
    """Give the name of the settings; where they have none, ask for it and keep what is typed.

    The name of the login is shown to others only if its owner agrees.

    Raises:
        GoneBack: No name is wished.
        Left: Nobody is there to answer any more.
    """
    settings = load_settings(folders)
    if settings.name:
        return settings.name
    login = login_name()
    name = await answered(
        terminal,
        f"Type the name that others will see; Enter takes {login}. For example: Ana",
        lambda line: clean_name(line) if line else "",
        lambda: ["It is saved in the settings; name changes it there. leave goes back."],
    )
    if name:
        save_settings(folders, msgspec.structs.replace(settings, name=name))
    return name or login


class _Entrance:
    """The question for a room."""

    def __init__(self, terminal: LineTerminal, joining: JoinController, player: Player) -> None:
        self._terminal = terminal
        self._joining = joining
        self._player = player

    async def find(self, code: str | None, *, is_watching: bool) -> bool:
        """Ask for a room until one is entered; False: the server is left.

        Args:
            code: Of the room to try first.

        Raises:
            ConnectionLost: The line dropped, and there will be no other.
            GoneBack: A room was asked for, and whoever types does not wait any longer.
        """
        entrance: Entrance = "watch" if is_watching else "join"
        if code is not None and await self._enters(code, entrance, is_offered=True):
            return True
        await self._says_why_not(self._tell_rooms())
        while True:
            line = await self._terminal.ask(
                "Type a room's code to join, watch and a code, new for a room of your own, rooms for the "
                "list, or leave. For example: new"
            )
            if is_leaving(line):
                return False
            if is_asking(line):
                self._terminal.say(
                    "A room is a table for a race or a championship; its host knows its code. new "
                    "opens one with you as the host, watch and a code lets you watch, rooms lists the rooms."
                )
            elif await self._goes_in(line):
                return True

    async def _goes_in(self, line: str) -> bool:
        """Do what is typed; tell whether it has led into a room."""
        word, _, rest = line.casefold().partition(" ")
        if word in ("rooms", ""):
            return await self._says_why_not(self._tell_rooms())
        if word == "new":
            return await self._says_why_not(self._create())
        return await (self._enters(rest, "watch") if word == "watch" else self._enters(word, "join"))

    async def _create(self) -> bool:
        await self._joining.create(self._player)
        return True

    async def _enters(self, code: str, entrance: Entrance, *, is_offered: bool = False) -> bool:
        entering = self._joining.enter(code, self._player, entrance, is_offered=is_offered)
        return await self._says_why_not(entering)

    async def _says_why_not(self, trying: Coroutine[Any, Any, bool]) -> bool:
        """Say why something does not work at the moment: there is another question then.

        Raises:
            ConnectionLost: The line dropped, and there will be no other.
        """
        try:
            return await trying
        except (RequestRefused, ConnectionLost) as error:
            if self._joining.here.link.ended is not None:
                raise
            self._terminal.say(error.text)
            return False

    async def _tell_rooms(self) -> bool:
        """List the rooms; False, as that leads into none."""
        try:
            rooms = await self._joining.rooms()
        except GoneBack:
            return False
        if not rooms:
            self._terminal.say("There are no rooms yet.")
        for room in rooms:
            private, laps = ", private" if room.is_private else "", counted(room.laps, "lap")
            self._terminal.say(
                f"{room.code}: {room.track}, {laps}, {room.players} of {room.cars} cars, "
                f"{room.state}{private}, host {room.host}."
            )
        return False


async def _learn_room(lobby: LobbyController) -> None:
    """Wait until the server has sent the room and its tracks."""
    link = lobby.stay.link
    while link.room is None and link.ended is None:
        await link.wait(link.changes)
    await lobby.learn_tracks()


async def _stay(terminal: LineTerminal, folders: Folders, stay: ServerStay, ways_in: WaysIn) -> bool:
    """Wait and race in a room; returns whether it was left for good."""
    link = stay.link
    lobby = LobbyController(stay)
    await until_answered(terminal, _learn_room(lobby))
    talk = Talk(terminal, lobby.company, ways_in)
    room = PlainRoom(lobby, terminal, talk)
    raced: Feed | None = None
    review: Review | None = None
    while True:
        terminal.farewell = "You have left the room."
        way = await room.run(raced, review)
        if way != "race":
            return way == "left"
        raced = link.race
        session = stay.race_session()
        end = await race_with_hints(session, terminal, folders, talk)
        review = None
        if end == "over":
            records = await until_answered(terminal, session.records())
            await keep_races(folders, load_settings(folders), records, session.seats)
            number = session.setup.season.race if session.setup.season else 0
            review = Review(terminal, folders, session, records[number] if number < len(records) else None)
            await review.tell_bests()
        if end == "left":
            return False
        if end == "closed" and link.ended is not None:
            return False
