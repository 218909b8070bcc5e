"""Home in lines: the menu of the home screen, and what it leads to. Leaving anything returns here.

Theory of operation. The menu is made each time that one comes home, for there may be rooms and a championship
to go back to. It is said whole once, later only what is new in it; `menu` says it again. A server that was
started from here runs until the program ends, as on the screen.

What the menu does not need is imported where it is needed: home comes up sooner for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from heat_tui.client.session_file import SavedSession
from heat_tui.flow.home import (
    PLAYED_ELSEWHERE,
    REJOIN,
    SERVER_ENDS,
    HomeController,
    MenuLine,
    forget_question,
)
from heat_tui.flow.last_results import last_result_told
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import GoneBack
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import sentence_of
from heat_tui.state import Folders, load_settings

_ABOUT: Final = {
    "how_to_play": "the round in nine phases, and what to type",
    "settings": "name, colour, hints, replays, servers nearby",
}
"""Of entries that lead to less than on the screen, or to something else."""


class Home:
    """The menu."""

    def __init__(self, terminal: LineTerminal, folders: Folders, nearby_on: Sequence[str] | None) -> None:
        """Make it; `run` asks.

        Args:
            nearby_on: The interfaces where servers nearby are looked for, if the settings allow it; empty:
                all; None: nowhere.
        """
        self._terminal = terminal
        self._folders = folders
        self._nearby_on = nearby_on
        self._home = HomeController(folders, terminal.say)
        self._is_over = False
        self._said: frozenset[str] = frozenset()

    async def run(self) -> None:
        """Tell the menu and do what is chosen, until the program is left.

        Raises:
            Left: Whoever typed is gone.
        """
        try:
            while not self._is_over:
                self._home.refresh()
                await self._tell_results()
                self._terminal.say("Home.")
                self._tell(but=self._said)
                line = await self._chosen()
                with contextlib.suppress(GoneBack):
                    await self._go(line)
        finally:
            await self._home.end_server()

    # --- the menu ------------------------------------------------------------------------------------------

    async def _tell_results(self) -> None:
        name = load_settings(self._folders).player_name
        if told := last_result_told(await asyncio.to_thread(self._home.finished, name)):
            self._say_new([told], self._said)

    def _tell(self, but: frozenset[str] = frozenset()) -> None:
        """Say the menu, but for the lines that are known."""
        told = []
        for line in self._home.lines:
            about = _ABOUT.get(line.entry.name, line.about)
            told.append(f"{line.key}: {', '.join(filter(None, (line.entry.label, about)))}.")
        self._say_new(told, but)

    def _say_new(self, lines: Sequence[str], known: frozenset[str]) -> None:
        for line in lines:
            if line not in known:
                self._terminal.say(line)
        self._said |= {*lines}

    async def _chosen(self) -> MenuLine:
        """Ask until something of the menu is chosen."""
        self._terminal.farewell, self._terminal.ending = (
            "",
            SERVER_ENDS if self._home.server.is_running else "",
        )
        while True:
            usual = self._home.lines[0].key
            typed = (
                await self._terminal.ask(
                    f"Type a letter or a name; Enter takes {usual}; menu says all of it. For example: {usual}"
                )
            ).casefold()
            if is_leaving(typed):
                typed = "quit"
            word, _, rest = typed.partition(" ")
            if is_asking(typed) or typed == "menu":
                self._tell()
                if self._home.seats:
                    self._terminal.say(
                        f"forget and a seat's letter, such as forget {REJOIN.key}, removes that seat."
                    )
            elif word == "forget" and self._home.seats:
                await self._forget(rest)
            elif line := _found(self._home.lines, typed or usual):
                return line
            else:
                self._terminal.say(f"The menu has no {typed!r}.")

    async def _forget(self, key: str) -> None:
        """Ask, then forget a seat that one could go back to."""
        seats = {line.key: line.seat for line in self._home.lines if line.seat is not None}
        if (seat := seats.get(key)) is None:
            self._terminal.say(f"Type forget and {' or '.join(seats)}.")
        elif await self._terminal.agrees(forget_question(seat)):
            is_forgotten = self._home.forget(seat)
            self._terminal.say("Forgotten." if is_forgotten else "That seat is in use in another window.")

    # --- where it leads ------------------------------------------------------------------------------------

    async def _go(self, line: MenuLine) -> None:
        if line.seat is not None:
            await self._rejoin(line.seat)
        elif line.saved is not None:
            await self._continue(line.saved.path)
        else:
            ways: dict[str, Callable[[], Awaitable[None]]] = {
                "new_race": partial(self._race, is_hot_seat=False),
                "hot_seat": partial(self._race, is_hot_seat=True),
                "championship": self._championship,
                "daily": self._daily,
                "puzzles": self._puzzles,
                "join": self._join,
                "host": self._host,
                "replays": self._replays,
                "career": self._career,
                "learn": self._learn,
                "how_to_play": self._how_to_play,
                "settings": self._settings,
                "quit": self._quit,
            }
            await ways[line.entry.name]()

    async def _race(self, *, is_hot_seat: bool) -> None:
        from heat_tui.plain.game import race_here
        from heat_tui.plain.setting_up import new_race

        table = await new_race(self._terminal, self._folders, is_hot_seat=is_hot_seat)
        await race_here(self._terminal, self._folders, table)

    async def _championship(self) -> None:
        from heat_tui.plain.game import continues

        saved = [game for game in self._home.saved if not game.is_race]
        if saved:
            question = (
                f"You have a saved {saved[0].text}. Enter continues it; new begins another. For example: new"
            )
            explained = "It stays saved if you begin another; the menu lists all saved ones."
            if await continues(self._terminal, question, explained):
                await self._continue(saved[0].path)
                return
        await new_championship_here(self._terminal, self._folders)

    async def _continue(self, path: Path) -> None:
        from heat_tui.plain.game import continue_race_here
        from heat_tui.plain.season import championship_here
        from heat_tui.saved.own_race import OwnRace

        game = self._home.games.open(path)
        if game is None:
            self._terminal.say(PLAYED_ELSEWHERE)
        elif isinstance(game, OwnRace):
            await continue_race_here(self._terminal, self._folders, game)
        else:
            await championship_here(self._terminal, self._folders, game)

    async def _learn(self) -> None:
        from heat_tui.plain.game import lesson_here

        await lesson_here(self._terminal, self._folders)

    async def _daily(self) -> None:
        from heat_tui.plain.daily import daily_here

        await daily_here(self._terminal, self._folders)

    async def _puzzles(self) -> None:
        from heat_tui.plain.puzzles import puzzles_here

        await puzzles_here(self._terminal, self._folders)

    async def _career(self) -> None:
        from heat_tui.plain.career import career_here

        await career_here(self._terminal, self._folders)

    async def _replays(self) -> None:
        from heat_tui.plain.replays import replays_here

        await replays_here(self._terminal, self._folders)

    async def _how_to_play(self) -> None:
        from heat_tui.plain.pages import read_how_to_play

        await read_how_to_play(self._terminal)

    async def _settings(self) -> None:
        from heat_tui.plain.preferences import settings_here

        await settings_here(self._terminal, self._folders)

    async def _join(self) -> None:
        from heat_tui.nearby import watch_nearby
        from heat_tui.plain.joining import join_somewhere

        watch = None
        if self._nearby_on is not None and load_settings(self._folders).nearby:
            watch = partial(watch_nearby, interfaces=self._nearby_on)
        await join_somewhere(self._terminal, self._folders, watch)

    async def _rejoin(self, saved: SavedSession) -> None:
        from heat_tui.plain.joining import go_back_to

        await go_back_to(self._terminal, self._folders, saved)

    async def _host(self) -> None:
        """Start a server here (once), and open a room at it."""
        from heat_tui.hosting import HostingFailed
        from heat_tui.plain.joining import play_at

        if not self._home.server.is_running:
            self._terminal.say("Starting a server on this machine.")
        is_announced = self._nearby_on is not None and load_settings(self._folders).nearby
        try:
            address = await self._home.server.start(is_announced=is_announced)
        except HostingFailed as error:
            self._terminal.say(sentence_of(str(error)))
            return
        self._terminal.ending = SERVER_ENDS
        await play_at(self._terminal, self._folders, str(address), is_host=True)

    async def _quit(self) -> None:
        question = self._home.quit_question
        self._is_over = not question or await self._terminal.agrees(question)


async def new_championship_here(terminal: LineTerminal, folders: Folders) -> None:
    """Set up a championship and race it.

    Raises:
        GoneBack: None is wished.
        Left: Whoever typed is gone.
    """
    from heat_tui.plain.season import begin_championship_here
    from heat_tui.plain.setting_up import new_season

    season = await new_season(terminal, folders)
    await begin_championship_here(terminal, folders, season)


def _found(lines: Sequence[MenuLine], text: str) -> MenuLine | None:
    """Find what is typed: by its key, its name, or as much of the name as distinguishes it."""
    called = [line for line in lines if text in _names(line)]
    begun = [line for line in lines if len(text) > 1 and line.entry.label.casefold().startswith(text)]
    if called:
        return called[0]
    return begun[0] if len({line.entry for line in begun}) == 1 else None


def _names(line: MenuLine) -> tuple[str, ...]:
    return line.key, line.entry.label.casefold(), line.entry.short.casefold()
