"""A room at a server in lines: before a race, between those of a championship, and after the last one.

Theory of operation. The room is described once when one comes in, and from then on what changes in it. `run`
returns when a race begins that has not been raced here, when the room is left, or when the link has ended.
Who may do what, and doing it, is the controller's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

from heat_core.options.option import BadOption
from heat_core.options.table_options import change
from heat_core.wire import messages as m
from heat_tui.client.company import WHOM_A_BAN_STOPS
from heat_tui.client.feed import Feed
from heat_tui.flow.lobby import LobbyController, remove_question
from heat_tui.flow.room_rows import room_rows
from heat_tui.flow.season import room_page
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import GoneBack
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.meanwhile import Meanwhile, until_answered
from heat_tui.plain.options import read_change, room_told
from heat_tui.plain.people import driver_text, people_told
from heat_tui.plain.review import REVIEW_EXPLAINED, REVIEW_WORDS, Review
from heat_tui.plain.season import season_told
from heat_tui.plain.talk import Talk

Given = TypeVar("Given")

RoomEnd: TypeAlias = Literal["race", "left", "ended"]
"""Why the wait in a room ends: a race has begun, the room was left, nothing will ever come again."""

_LEAVE: Final = "For example: leave"
_LEAVE_QUESTION: Final = "Leave the room?"


class PlainRoom:
    """The room of a stay, while nobody races."""

    def __init__(self, lobby: LobbyController, terminal: LineTerminal, talk: Talk) -> None:
        """Make it; `run` waits in it."""
        self._lobby = lobby
        self._terminal = terminal
        self._talk = talk
        self._told: m.LobbyView | None = None
        self._season_told: tuple[int, str] | None = None
        self._raced: Feed | None = None
        self._review: Review | None = None
        self._shown: dict[str, Callable[[], str]] = {
            "options": self._options,
            "season": self._season,
        }
        self._commands: dict[str, Callable[[str], Coroutine[Any, Any, str]]] = {
            "ready": lambda rest: lobby.set_ready(True),
            "not": self._not_ready,
            "start": lambda rest: lobby.start(),
            "name": self._name,
            "colour": lobby.take_colour,
            "set": self._set,
            "bot": lobby.add_bot,
            "legend": lobby.add_legend,
            "clear": self._clear,
            "password": self._password,
            "open": lambda rest: lobby.lock(""),
            "bots": lambda rest: lobby.let_bots_stand_in(),
            "rematch": lambda rest: lobby.rematch(),
        }
        self._dialogues: dict[str, Callable[[str], Awaitable[str]]] = {
            "kick": lambda rest: self._remove(rest, is_banned=False),
            "ban": lambda rest: self._remove(rest, is_banned=True),
            **{word: partial(self._looked_back, word) for word in REVIEW_WORDS},
        }
        self._meanwhile = Meanwhile(
            lobby.stay.link, self._tell_meanwhile, self._takes_at_once, lambda: _LEAVE_QUESTION
        )

    @property
    def _room(self) -> m.LobbyView:
        room = self._lobby.room
        assert room is not None
        return room

    async def run(self, raced: Feed | None, review: Review | None) -> RoomEnd:
        """Wait for the next race.

        Args:
            raced: The race that was raced here last; None: none yet.
            review: The look back at it; None: the server has sent no record.

        Raises:
            Left: Whoever typed is gone.
        """
        link = self._lobby.stay.link
        self._raced, self._review = raced, review
        self._told = self._season_told = None
        while True:
            changes = link.changes
            if (way := self._lobby.way(raced)) != "here":
                for told in link.notice.lines if link.notice is not None else ():
                    self._terminal.say(told)
                return "ended" if way == "ended" else "race"
            if link.room is not None:
                self._tell()
                self._ask()
            line = await self._terminal.heard(link.wait(changes))
            if line is not None and link.room is not None and await self._hear(line):
                return "left"

    # --- telling -------------------------------------------------------------------------------------------

    def _say_all(self, lines: list[str]) -> None:
        for line in lines:
            self._terminal.say(line)

    def _tell(self) -> None:
        """Describe the room, or what has changed in it since the last time."""
        room, before = self._room, self._told
        if news := self._lobby.connection_news():
            self._terminal.tell(news)
        if news := self._lobby.ready_news():
            self._terminal.tell(news)
        if before is None:
            self._introduce()
        self._talk.tell_new()
        if before is not None and room != before:
            for change in self._changes(before):
                self._terminal.tell(change)
        self._told = room
        self._tell_season()

    def _introduce(self) -> None:
        room = self._room
        if room.phase == "lobby" or self._raced is None:
            self._terminal.say(f"Room {room.code}{', private' if room.is_private else ''}.")
        if room.phase == "lobby":
            self._terminal.say(f"For others to join: {room.invitation}")
            if self._lobby.is_host:
                self._terminal.say(self._lobby.invitation_hint)
            self._say_all([*self._options_told(room), *people_told(room_rows(room))])

    def _options_told(self, room: m.LobbyView) -> list[str]:
        return room_told(room, self._lobby.tracks)

    def _changes(self, before: m.LobbyView) -> list[str]:
        told = []
        room = self._room
        if room.options != before.options and room.phase == "lobby":
            known = self._options_told(before)
            told = [line for line in self._options_told(room) if line not in known]
        for row, then in zip(room_rows(room), room_rows(before), strict=False):
            if row.place is None or then.place is None:
                break  # spectators who come or go are news
            if row.driver and row.driver != then.driver:
                told.append(f"{row.name}, {driver_text(row)}, takes a place.")
            elif not row.name and then.driver:
                told.append(f"{then.name}'s place is free again.")
            place, place_then = room.places[row.place], before.places[row.place]
            is_same_person = row.is_person and row.name == then.name and row.place != room.place
            if is_same_person and place.is_ready != place_then.is_ready:
                told.append(f"{row.name} is {'ready' if place.is_ready else 'not ready'}.")
        if room.is_private != before.is_private:
            told.append("The room is private now." if room.is_private else "Anybody can join the room now.")
        return told

    def _tell_season(self) -> None:
        """Show the table of a championship whenever it has changed."""
        season, room = self._lobby.stay.link.season, self._room
        if season is None or room.phase not in ("between", "ended"):
            return
        mark = (season.view.event_number, room.phase)
        if mark != self._season_told:
            self._season_told = mark
            self._say_all(season_told(*room_page(season, room.place)))

    # --- asking and hearing --------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Ask what is wished, in a few words where it has been asked like that before."""
        voice, room = self._terminal.voice, self._room
        standing, asked = question = self._question()
        if room.phase == "ended" and not voice.first(("ended", room.code), asked):
            asked = f"Type {'rematch, ' if self._lobby.is_host else ''}leave, or help for all. {_LEAVE}"
        self._terminal.prompt(f"{voice.changed('room', standing)} {asked}".lstrip(), question)

    def _question(self) -> tuple[str, str]:
        """Say what one is here, and what may be typed now, the usual thing as the example."""
        room = self._room
        if room.phase == "ended":
            looks = "" if self._review is None else "results, places, log, analysis, "
            if self._lobby.is_host:
                return "", f"Type rematch to go back to the lobby, {looks}say and a line, or leave. {_LEAVE}"
            return "The host can call a rematch.", f"Type {looks}say and a line, or leave. {_LEAVE}"
        if room.place is None:
            return "You are watching.", "Type who, say and a line, or leave. For example: who"
        if self._lobby.is_host:
            return (
                "You are the host.",
                "Type start when all are ready, or help for commands. For example: start",
            )
        if room.own.is_ready:
            return (
                "You are ready; the host starts the race.",
                "Type who, not ready, or help. For example: who",
            )
        return "", "Type ready when you are ready, or help for commands. For example: ready"

    async def _hear(self, line: str) -> bool:
        """Do what was typed, and return whether the room is left."""
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if is_leaving(line):
            return await self._terminal.agrees(_LEAVE_QUESTION)
        if self._takes_at_once(line):
            return False
        try:
            if word in self._dialogues:
                self._say_answer(await self._dialogues[word](rest))
            elif word in self._commands:
                self._say_answer(await self._answered(self._commands[word](rest)))
            elif line and not await self._answered(self._talk.takes(word, rest)):
                if self._terminal.is_late:
                    self._terminal.refuse_late(line)
                else:
                    self._terminal.say(f"There is no {word!r} here; help shows what you can type.")
        except GoneBack:
            return True
        return False

    def _takes_at_once(self, line: str) -> bool:
        """Do what needs no server, and tell whether a line asks for that."""
        word = line.partition(" ")[0].casefold()
        if is_asking(line):
            self._help()
        elif word in self._shown:
            self._say_answer(self._shown[word]())
        else:
            return self._talk.shows(word)
        return True

    def _say_answer(self, answer: str) -> None:
        if answer:
            self._terminal.say(answer)

    async def _answered(self, asking: Coroutine[Any, Any, Given]) -> Given:
        """Ask the server, and wait for its answer; GoneBack: the room is left meanwhile."""
        return await until_answered(self._terminal, asking, self._meanwhile)

    def _tell_meanwhile(self) -> None:
        """Say what is new while the server has not answered."""
        if self._lobby.room is not None and self._told is not None:
            self._tell()

    def _help(self) -> None:
        self._terminal.say(
            "For everybody: who, options (what is raced), season (the standings), code (spells it), "
            "invite (how others come here), say and a line, chat (what was said), react and a word such "
            "as bravo, settings (yours), news later or news now, leave."
        )
        if self._room.place is not None:
            self._terminal.say("For drivers: ready, not ready, name and a new name, colour and a new colour.")
        if self._review is not None:
            self._terminal.say(f"After a race: {REVIEW_EXPLAINED}")
            self._terminal.say("Looking back ends when the host starts the next race or a rematch.")
        if self._lobby.is_host:
            self._terminal.say(
                "For the host: start; set with an option and its value, such as set laps 2; bot or legend "
                "fills a place, with a level such as bot easy; clear 3 frees the third; kick or ban and a "
                "name; time Ben 60 gives a driver that many seconds more for each decision; password and a "
                "word, open; between races, bots lets bots drive for absent players; after the last race, "
                "rematch."
            )

    # --- commands: each gives what to say, in one sentence or not at all -----------------------------------

    def _options(self) -> str:
        self._say_all(self._options_told(self._room))
        return ""

    def _season(self) -> str:
        if self._lobby.stay.link.season is None:
            return "This room races no championship, or it has not begun."
        self._season_told = None
        return ""

    async def _not_ready(self, rest: str) -> str:
        if rest.casefold() != "ready":
            return "Type not ready to take your ready mark back."
        return await self._lobby.set_ready(False)

    async def _name(self, rest: str) -> str:
        return await self._lobby.rename(rest) if rest else "Type name and the new name, for example: name Ana"

    async def _set(self, rest: str) -> str:
        try:
            field, value = read_change(self._lobby.options, rest, self._lobby.tracks)
        except BadOption as error:
            return str(error)
        made = partial(change, field=field, value=value)
        return self._lobby.propose(made) or await self._lobby.send(made) or f"Set: {rest}."

    async def _clear(self, rest: str) -> str:
        return await self._lobby.clear(int(rest) - 1 if rest.isdecimal() and len(rest) < 3 else None)

    async def _remove(self, name: str, *, is_banned: bool) -> str:
        row = next((row for row in self._lobby.rows() if row.name == name), None)
        refusal = self._lobby.why_not("remove") if row is None else self._lobby.why_not_remove(row)
        if refusal or not name:
            return refusal or "Type kick or ban and a name, for example: kick Ben"
        if is_banned:
            self._terminal.say(WHOM_A_BAN_STOPS)
        if await self._terminal.agrees(remove_question(name)):
            return await self._answered(self._lobby.remove(name, is_banned=is_banned))
        return ""

    async def _looked_back(self, word: str, rest: str) -> str:
        """Look back at the race until that is left, or the room goes on without waiting for anybody."""
        if self._review is None:
            return "No race has been raced to its end since you came."
        looking = asyncio.create_task(self._review.takes(f"{word} {rest}"))
        going_on = asyncio.create_task(self._goes_on())
        try:
            await asyncio.wait([looking, going_on], return_when=asyncio.FIRST_COMPLETED)
            if looking.done():
                looking.result()
        finally:
            looking.cancel()
            going_on.cancel()
            await asyncio.gather(looking, going_on, return_exceptions=True)
        return ""

    async def _goes_on(self) -> None:
        """Wait until the room leads elsewhere than to the results of its last race."""
        link, phase = self._lobby.stay.link, self._room.phase
        while self._lobby.way(self._raced) == "here" and (link.room is None or link.room.phase == phase):
            await link.wait(link.changes)

    async def _password(self, rest: str) -> str:
        if not rest:
            return "Type password and a word, or open to remove the password."
        return await self._lobby.lock(rest) or "Tell your friends the password."
