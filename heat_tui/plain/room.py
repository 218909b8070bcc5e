"""A room at a server in lines: before a race, between those of a championship, and after the last one.

Theory of operation. The room is told once when one comes in, and from then on what changes in it. `run`
returns when a race begins that has not been raced here, when the room is left, or when the link has ended.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Literal, TypeAlias, cast

from heat_core.bots import BOTS
from heat_core.options.option_table import BadOption
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.race.setup import COLOURS
from heat_core.text import listed
from heat_core.wire import messages as m
from heat_tui.client.company import WHOM_A_BAN_STOPS
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.feed import Feed
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.options import change_options, room_told
from heat_tui.plain.season import season_told
from heat_tui.plain.talk import Talk

_STAND_IN: Final = "steady"

Way: TypeAlias = Literal["race", "left", "ended"]
"""Where a room leads: a race has begun, it was left, nothing will ever come again."""


class PlainRoom:
    """The room of a visit, while nobody races."""

    def __init__(self, stay: ServerStay, voice: LineTerminal, talk: Talk, tracks: Mapping[str, str]) -> None:
        """Make it; `run` waits in it.

        Args:
            tracks: Names of the server's, by identifier.
        """
        self._stay = stay
        self._voice = voice
        self._talk = talk
        self._tracks = tracks
        self._state = stay.link.state
        self._told: m.LobbyView | None = None
        self._season_told: tuple[int, str] | None = None
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "ready": self._ready,
            "start": self._start,
            "name": self._name,
            "colour": self._colour,
            "set": self._set,
            "bot": self._bot,
            "legend": self._legend,
            "clear": self._clear,
            "kick": self._kick,
            "ban": self._ban,
            "password": self._password,
            "open": self._open,
            "bots": self._bots,
            "rematch": self._rematch,
        }

    @property
    def _room(self) -> m.LobbyView:
        room = self._stay.link.room
        assert room is not None
        return room

    @property
    def _is_host(self) -> bool:
        return self._room.place is not None and self._room.place == self._room.host

    async def run(self, raced: Feed | None) -> Way:
        """Wait for the next race.

        Args:
            raced: The race that was raced here last; None: none yet.

        Raises:
            Left: Whoever typed is gone.
        """
        link = self._stay.link
        self._told = self._season_told = None
        while True:
            changes = link.changes
            if link.ended is not None:
                self._voice.say(link.ended)
                return "ended"
            if link.race is not raced and RemoteSession.is_ready(link):
                return "race"
            if link.room is not None:
                self._tell()
                self._voice.prompt(self._question())
            line = await self._voice.heard(link.wait(changes))
            if line is not None and link.room is not None and await self._hear(line):
                return "left"

    # --- telling -------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Tell the room, or what has changed in it since the last time."""
        room, before = self._room, self._told
        if self._state != self._stay.link.state:
            self._state = self._stay.link.state
            is_back = self._state == "connected"
            self._voice.say("Connected again." if is_back else "The connection was lost; trying again.")
        self._talk.tell_new()
        if before is None:
            self._introduce()
        elif room != before:
            for line in self._changes(before):
                self._voice.say(line)
        self._told = room
        self._tell_season()

    def _introduce(self) -> None:
        room = self._room
        self._voice.say(f"Room {room.code}{', private' if room.is_private else ''}.")
        if room.phase == "lobby":
            self._voice.say(f"For others to join: {room.invitation}")
            for line in [*room_told(room, self._tracks), *self._who()]:
                self._voice.say(line)

    def _changes(self, before: m.LobbyView) -> list[str]:
        told = []
        room = self._room
        if room.options != before.options and room.phase == "lobby":
            told = [
                line for line in room_told(room, self._tracks) if line not in room_told(before, self._tracks)
            ]
        for place, then in zip(room.places, before.places, strict=False):
            if place.kind != then.kind and place.kind not in (None, "human"):
                told.append(f"{place.name} takes a place, {_kind_text(place)}.")
            elif place.kind is None and then.kind not in (None, "human"):
                told.append(f"The place of {then.name} is free again.")
            if place.kind == "human" and place.is_ready != then.is_ready and place.name == then.name:
                told.append(f"{place.name} is {'ready' if place.is_ready else 'not ready'}.")
        if room.is_private != before.is_private:
            told.append("The room is private now." if room.is_private else "The room is open to all now.")
        return told

    def _who(self) -> list[str]:
        room = self._room
        told = []
        for number, place in enumerate(room.places, start=1):
            if place.kind is None:
                told.append(f"{number}: free.")
                continue
            marks = [place.colour or "", _kind_text(place)]
            marks += ["host"] if number - 1 == room.host else []
            marks += ["you"] if number - 1 == room.place else []
            if place.kind == "human":
                if place.has_stand_in:
                    marks.append("a bot drives")
                elif not place.is_connected:
                    marks.append("away")
                elif place.is_ready:
                    marks.append("ready")
                elif number - 1 != room.host:  # nobody waits for the host, who starts
                    marks.append("not ready yet")
            told.append(f"{number}: {place.name}, {', '.join(mark for mark in marks if mark)}.")
        return [*told, *(f"{name} is watching." for name in room.watchers)]

    def _tell_season(self) -> None:
        """Tell the table of a championship whenever it has changed."""
        season, room = self._stay.link.season, self._room
        if season is None or room.phase not in ("between", "ended"):
            return
        mark = (season.view.event_number, room.phase)
        if mark != self._season_told:
            self._season_told = mark
            own = [n for n, place in enumerate(season.cars) if place is not None and place == room.place]
            for line in season_told(season.setup, season.view, own):
                self._voice.say(line)

    # --- asking and hearing --------------------------------------------------------------------------------

    def _question(self) -> str:
        """Say what may be typed now, the usual thing as the example."""
        room = self._room
        if room.phase == "ended":
            if self._is_host:
                return "Type rematch for the lobby again, say and a line, or leave. For example: leave"
            return "The host can call a rematch. Type say and a line, or leave. For example: leave"
        if room.place is None:
            return "You are watching. Type who, say and a line, or leave. For example: who"
        if self._is_host:
            return "You are the host. Type start when all are ready, or ? for commands. For example: start"
        if room.own.is_ready:
            return "You are ready; the host starts the race. Type who, not ready, or ?. For example: who"
        return "Type ready when you are ready, or ? for commands. For example: ready"

    async def _hear(self, line: str) -> bool:
        """Do what was typed, and tell whether the room is left."""
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if is_leaving(line):
            return await self._voice.agrees("Leave the room?")
        if line.casefold() == "not ready":
            await self._ask(m.TakeSeat(0, ready=False), is_so=not self._room.own.is_ready)
        elif is_asking(line):
            self._help()
        elif word == "who":
            for told in self._who():
                self._voice.say(told)
        elif word == "settings":
            for told in room_told(self._room, self._tracks):
                self._voice.say(told)
        elif word == "season":
            self._season_told = None
        elif word in self._commands:
            await self._commands[word](rest)
        elif line and not await self._talk.takes(word, rest):
            self._voice.say(f"There is no {word!r} here; ? shows what you can type.")
        return False

    def _help(self) -> None:
        self._voice.say(
            "For all: who, settings, season (the table), say and a line, react and a word such as bravo, "
            "leave."
        )
        if self._room.place is not None:
            self._voice.say("For drivers: ready, not ready, name and a new name, colour and another one.")
        if self._is_host:
            self._voice.say(
                "For the host: start; set with a setting and its value, such as set laps 2; bot or legend "
                "fills a place, clear 3 frees the third; kick or ban and a name; password and a word, open; "
                "between races, bots lets bots drive for absent players; after the last, rematch."
            )

    async def _ask(self, request: m.Request, done: str = "", *, is_so: bool = False) -> None:
        """Ask the server for something.

        Args:
            done: What is said where it is done, besides what changes in the room.
            is_so: Whether nothing would change by it.
        """
        if is_so:
            self._voice.say("Nothing to change: that is already so.")
            return
        try:
            await self._stay.link.request(request)
        except (RequestRefused, ConnectionLost) as error:
            self._voice.say(error.text)
        else:
            if done:
                self._voice.say(done)

    async def _ready(self, rest: str) -> None:
        await self._ask(m.TakeSeat(0, ready=True), is_so=self._room.own.is_ready)

    async def _start(self, rest: str) -> None:
        await self._ask(m.Start(0))

    async def _name(self, rest: str) -> None:
        if rest:
            await self._ask(m.TakeSeat(0, name=rest[:64]))
        else:
            self._voice.say("Type name and the new one, for example: name Ana")

    async def _colour(self, rest: str) -> None:
        if rest in COLOURS:
            await self._ask(m.TakeSeat(0, colour=rest))
        else:
            self._voice.say(f"The colours are {listed(COLOURS, 'or')}.")

    async def _set(self, rest: str) -> None:
        try:
            options = change_options(self._room.options, rest, self._tracks)
        except BadOption as error:
            self._voice.say(str(error))
            return
        await self._ask(m.Configure(0, options), f"Set: {rest}.", is_so=options == self._room.options)

    async def _bot(self, rest: str) -> None:
        kind = rest or _STAND_IN
        if kind in BOTS:
            await self._place(cast(m.BotKind, kind))
        else:
            self._voice.say(f"A bot is {listed(list(BOTS), 'or')}.")

    async def _legend(self, rest: str) -> None:
        level = rest or self._room.options.level
        if level in LEGEND_LEVELS:
            await self._place(cast(m.BotKind, f"legend:{level}"))
        else:
            self._voice.say(f"A Legend is {listed(list(LEGEND_LEVELS), 'or')}.")

    async def _place(self, kind: m.BotKind) -> None:
        free = [number for number, place in enumerate(self._room.places) if place.kind is None]
        if free:
            await self._ask(m.PlaceBot(0, free[0], kind))
        else:
            self._voice.say("All places are taken.")

    async def _clear(self, rest: str) -> None:
        number = int(rest) if rest.isdecimal() and len(rest) < 3 else 0
        if 1 <= number <= len(self._room.places):
            await self._ask(m.PlaceBot(0, number - 1, None))
        else:
            self._voice.say(f"Places are numbered from 1 to {len(self._room.places)}.")

    async def _kick(self, rest: str) -> None:
        await self._remove(rest, is_banned=False)

    async def _ban(self, rest: str) -> None:
        await self._remove(rest, is_banned=True)

    async def _remove(self, name: str, *, is_banned: bool) -> None:
        if not name:
            self._voice.say("Type kick or ban and a name, for example: kick Ben")
            return
        if is_banned:
            self._voice.say(WHOM_A_BAN_STOPS)
        if await self._voice.agrees(f"Remove {name} from the room?"):
            await self._ask(m.Kick(0, name[:64], is_banned))

    async def _password(self, rest: str) -> None:
        if rest:
            await self._ask(m.Lock(0, rest[:64]), "Tell your friends the password.")
        else:
            self._voice.say("Type password and a word, or open to remove the password.")

    async def _open(self, rest: str) -> None:
        await self._ask(m.Lock(0, None), is_so=not self._room.is_private)

    async def _bots(self, rest: str) -> None:
        """Let bots drive the seats of those who are away."""
        away = [
            number
            for number, place in enumerate(self._room.places)
            if place.kind == "human" and not place.is_connected and not place.has_stand_in
        ]
        for number in away:
            await self._ask(m.PlaceBot(0, number, _STAND_IN))
        if not away:
            self._voice.say("Nobody is away.")

    async def _rematch(self, rest: str) -> None:
        await self._ask(m.Rematch(0))


def _kind_text(place: m.PlaceState) -> str:
    """Say who drives for a place, "" for a person."""
    if place.kind in (None, "human"):
        return ""
    if place.kind in BOTS:
        return f"a {place.kind} bot"
    return f"{place.kind.removeprefix('legend:')} Legend"
