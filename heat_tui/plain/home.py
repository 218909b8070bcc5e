"""Home in lines: the menu of the home screen, and what it leads to. Whatever is left leads back to it.

Theory of operation. The menu is made anew each time it is told, for there may be rooms and a championship to
go back to. A server that was started from here runs until the program ends, as on the screen.

What the menu does not need is imported where it is needed: home comes up sooner for it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from heat_tui.client.session_file import SavedSession, forget_session, saved_sessions
from heat_tui.flow.menu import (
    CONTINUE,
    ENTRIES,
    PLAYED_ELSEWHERE,
    REJOIN,
    SERVER_ENDS,
    Entry,
    forget_question,
    saved_here,
    seat_text,
)
from heat_tui.own_server import OwnServer
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import GoneBack
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import sentence_of
from heat_tui.state import Folders, load_settings, login_name, save_settings

if TYPE_CHECKING:
    from heat_tui.plain.setting_up import SettingUp


_SAID: Final = {
    "how_to_play": "the round in nine phases, and what to type",
    "settings": "name, colour, hints, replays, servers nearby",
}
"""Of entries that lead to less than on the screen, or to something else."""


class _Way(NamedTuple):
    """A line of the menu, and where it leads.

    Attributes:
        saved: The seat that it leads back to; None: it leads elsewhere.
    """

    key: str
    label: str
    about: str
    short: str
    go: Callable[[], Awaitable[None]]
    saved: SavedSession | None = None

    @property
    def text(self) -> str:
        return f"{self.key}: {', '.join(filter(None, (self.label, self.about)))}."

    def is_called(self, text: str) -> bool:
        return text in (self.key, self.label.casefold(), self.short.casefold())


class Home:
    """The menu."""

    def __init__(self, voice: LineTerminal, folders: Folders, nearby_on: Sequence[str] | None) -> None:
        """Make it; `run` asks.

        Args:
            nearby_on: The interfaces where servers nearby are looked for, if the settings allow it; empty:
                all; None: nowhere.
        """
        self._voice = voice
        self._folders = folders
        self._nearby_on = nearby_on
        self._server = OwnServer(folders.state)
        self._is_over = False

    async def run(self) -> None:
        """Tell the menu and do what is chosen, until the program is left.

        Raises:
            Left: Whoever typed is gone.
        """
        try:
            while not self._is_over:
                ways = self._ways()
                self._tell(ways)
                way = await self._chosen(ways)
                with contextlib.suppress(GoneBack):
                    await way.go()
        finally:
            await self._end_server()

    # --- the menu ------------------------------------------------------------------------------------------

    def _ways(self) -> list[_Way]:
        ways = []
        for number, saved in enumerate(saved_sessions(self._folders), start=1):
            key = _key(REJOIN, number)
            ways.append(_Way(key, REJOIN.label, seat_text(saved), key, partial(self._rejoin, saved), saved))
        for number, game in enumerate(saved_here(self._folders, self._voice.say), start=1):
            key = _key(CONTINUE, number)
            ways.append(_Way(key, CONTINUE.label, game.text, key, partial(self._continue, game.path)))
        doing: dict[str, Callable[[], Awaitable[None]]] = {
            "new_race": partial(self._race, is_hot_seat=False),
            "hot_seat": partial(self._race, is_hot_seat=True),
            "championship": self._championship,
            "join": self._join,
            "host": self._host,
            "replays": self._replays,
            "learn": self._learn,
            "how_to_play": self._how_to_play,
            "settings": self._settings,
            "quit": self._quit,
        }
        for entry in ENTRIES:
            about = _SAID.get(entry.name, entry.about)
            ways.append(_Way(entry.key, entry.label, about, entry.short, doing[entry.name]))
        return ways

    def _tell(self, ways: Sequence[_Way]) -> None:
        self._voice.say("Home.")
        for way in ways:
            self._voice.say(way.text)

    async def _chosen(self, ways: Sequence[_Way]) -> _Way:
        """Ask until something of the menu is chosen."""
        self._voice.farewell, self._voice.ending = "", SERVER_ENDS if self._server.is_running else ""
        usual = ways[0].key
        while True:
            line = (
                await self._voice.ask(
                    f"Type a letter or a name; Enter takes {usual}; ? shows the menu. For example: {usual}"
                )
            ).casefold()
            if is_leaving(line):
                line = "quit"
            word, _, rest = line.partition(" ")
            if is_asking(line):
                self._tell(ways)
                if ways[0].saved:
                    self._voice.say(
                        f"forget and such a letter, as in forget {REJOIN.key}, removes that seat for good."
                    )
            elif word == "forget" and ways[0].saved:
                if await self._forgets(ways, rest):
                    ways = self._ways()
                    usual = ways[0].key
            elif way := _found(ways, line or usual):
                return way
            else:
                self._voice.say(f"There is no {line!r} in the menu.")

    async def _forgets(self, ways: Sequence[_Way], key: str) -> bool:
        """Ask, then forget a room that could be gone back to; tell whether the menu is another one now."""
        seats = {way.key: way.saved for way in ways if way.saved}
        if (saved := seats.get(key)) is None:
            self._voice.say(f"Type forget and {' or '.join(seats)}.")
            return False
        if not await self._voice.agrees(forget_question(saved)):
            return False
        is_forgotten = forget_session(self._folders, saved)
        self._voice.say("Forgotten." if is_forgotten else "That seat is in use in another window.")
        return True

    # --- where it leads ------------------------------------------------------------------------------------

    async def _race(self, *, is_hot_seat: bool) -> None:
        from heat_tui.plain.game import race_here

        setting_up = await _setting_up(self._voice, self._folders)
        table = await (setting_up.hot_seat() if is_hot_seat else setting_up.race())
        _remember(self._folders, setting_up, is_named=not is_hot_seat)
        await race_here(self._voice, self._folders, table)

    async def _championship(self) -> None:
        from heat_tui.plain.game import continues

        saved = [game for game in saved_here(self._folders, self._voice.say) if not game.is_race]
        if saved:
            question = f"There is {saved[0].text}. Enter continues it; new begins another. For example: new"
            explained = "It stays saved if you begin another: the menu lists every one that is saved."
            if await continues(self._voice, question, explained):
                await self._continue(saved[0].path)
                return
        await new_championship_here(self._voice, self._folders)

    async def _continue(self, path: Path) -> None:
        from heat_tui.plain.game import championship_here, continue_race_here
        from heat_tui.saved.championship import Championship
        from heat_tui.saved.continuing import game_at
        from heat_tui.saved.own_race import OwnRace

        match game_at(path, self._voice.say):
            case OwnRace() as race:
                await continue_race_here(self._voice, self._folders, race)
            case Championship() as championship:
                await championship_here(self._voice, self._folders, championship)
            case _:
                self._voice.say(PLAYED_ELSEWHERE)

    async def _learn(self) -> None:
        from heat_tui.plain.game import lesson_here

        await lesson_here(self._voice, self._folders)

    async def _replays(self) -> None:
        from heat_tui.plain.replays import replays_here

        await replays_here(self._voice, self._folders)

    async def _how_to_play(self) -> None:
        from heat_tui.plain.pages import read_how_to_play

        await read_how_to_play(self._voice)

    async def _settings(self) -> None:
        from heat_tui.plain.preferences import settings_here

        await settings_here(self._voice, self._folders)

    async def _join(self) -> None:
        from heat_tui.nearby import watch_nearby
        from heat_tui.plain.joining import join_somewhere

        watch = None
        if self._nearby_on is not None and load_settings(self._folders).nearby:
            watch = partial(watch_nearby, interfaces=self._nearby_on)
        await join_somewhere(self._voice, self._folders, watch)

    async def _rejoin(self, saved: SavedSession) -> None:
        from heat_tui.plain.joining import go_back_to

        await go_back_to(self._voice, self._folders, saved)

    async def _host(self) -> None:
        """Start a server here (once), and open a room at it."""
        from heat_tui.hosting import HostingFailed
        from heat_tui.plain.joining import play_at

        if not self._server.is_running:
            self._voice.say("Starting a server on this machine.")
        is_announced = self._nearby_on is not None and load_settings(self._folders).nearby
        try:
            address = await self._server.start(is_announced=is_announced)
        except HostingFailed as error:
            self._voice.say(sentence_of(str(error)))
            return
        self._voice.ending = SERVER_ENDS
        await play_at(self._voice, self._folders, address, is_host=True)

    async def _end_server(self) -> None:
        """End a server started from here; there is nothing to come back to then."""
        await self._server.end()
        for saved in saved_sessions(self._folders):
            if saved.address == str(self._server.address):
                forget_session(self._folders, saved)

    async def _quit(self) -> None:
        self._is_over = not self._server.is_running or await self._voice.agrees(f"Quit? {SERVER_ENDS}")


async def new_championship_here(voice: LineTerminal, folders: Folders) -> None:
    """Set up a championship and race it.

    Raises:
        GoneBack: None is wished.
        Left: Whoever typed is gone.
    """
    from heat_tui.plain.game import begin_championship_here

    setting_up = await _setting_up(voice, folders)
    season = await setting_up.championship()
    _remember(folders, setting_up, is_named=False)
    await begin_championship_here(voice, folders, season)


async def _setting_up(voice: LineTerminal, folders: Folders) -> SettingUp:
    from heat_tui.plain.setting_up import SettingUp, all_tracks

    settings = load_settings(folders)
    return SettingUp(voice, settings, settings.name or login_name(), await all_tracks())


def _remember(folders: Folders, setting_up: SettingUp, *, is_named: bool) -> None:
    """Offer the same colour, and where it is the player's the same name, the next time."""
    settings, chosen = load_settings(folders), setting_up.chosen
    changed = msgspec.structs.replace(
        settings, colour=chosen.colour, name=chosen.names[0] if is_named else settings.name
    )
    if changed != settings:
        save_settings(folders, changed)


def _key(entry: Entry, number: int) -> str:
    """Say what chooses one of several lines of a kind: its letter, behind the first one's a number too."""
    return entry.key if number == 1 else f"{entry.key}{number}"


def _found(ways: Sequence[_Way], text: str) -> _Way | None:
    """Find what a line calls: by its letter, its name, or as much of the name as tells it apart."""
    called = [way for way in ways if way.is_called(text)]
    begun = [way for way in ways if len(text) > 1 and way.label.casefold().startswith(text)]
    if called:
        return called[0]
    return begun[0] if len({way.label for way in begun}) == 1 else None
