"""What a player can do from home: the same menu on the screen and in lines.

Theory of operation. A `HomeController` lives as long as the program. `refresh` makes the menu: above its
entries are the seats that one can go back to and what can be continued, newest first. News waits here until
home shows it. A server that is started from home runs until the program ends.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from heat_tui.client.session_file import SavedSession, forget_session, saved_sessions
from heat_tui.own_server import OwnServer
from heat_tui.saved.file import are_any_saved
from heat_tui.state import Folders
from heat_tui.words.plain_way import plain_mode

if TYPE_CHECKING:
    from heat_core.track_facts import TrackFacts
    from heat_tui.flow.own_games import OwnGames, Saved
    from heat_tui.hosting import HostedServer
    from heat_tui.saved.finished import Finished


Group: TypeAlias = Literal["left", "drive", "together", "more"]
"""Of the menu, in this order; `left` is what can be rejoined and continued."""


class Entry(NamedTuple):
    """A line of the menu.

    Attributes:
        name: By which the program knows it.
        key: A letter that chooses it.
        short: A word for the line of keys.
        label: What it is called.
        about: What it is, behind its label; may be empty.
        group: What it stands with.
    """

    name: str
    key: str
    short: str
    label: str
    about: str
    group: Group


ENTRIES: Final = (
    Entry("new_race", "n", "Race", "New race", "against Legends and bots", "drive"),
    Entry("hot_seat", "h", "Hot-seat", "Hot-seat", "several people at one keyboard", "drive"),
    Entry("championship", "c", "Season", "Championship", "three or four races for points", "drive"),
    Entry("daily", "d", "Daily", "Daily race", "the same for everybody today", "drive"),
    Entry("puzzles", "z", "Puzzles", "Puzzles", "one decision, one best answer", "drive"),
    Entry("join", "j", "Join", "Join", "enter a room on a server, or open one", "together"),
    Entry("host", "o", "Host", "Host", "start a server for your friends", "together"),
    Entry("replays", "r", "Replay", "Replays", "watch finished races", "more"),
    Entry("career", "a", "Career", "Career", "all your races, bests and badges", "more"),
    Entry("learn", "l", "Learn", "First race", "a short race that explains each phase", "more"),
    Entry("how_to_play", "p", "Rules", "How to play", "the nine phases of a round, and the keys", "more"),
    Entry("settings", "s", "Setup", "Settings", "name, colours, motion, keys", "more"),
    Entry("quit", "q", "Quit", "Quit", "", "more"),
)

GUEST_ENTRIES: Final = tuple(
    entry
    for entry in ENTRIES
    if entry.name in ("join", "replays", "career", "how_to_play", "settings", "quit")
)
"""What is left for a guest: the one server, and what is the guest's own."""

REJOIN: Final = Entry("rejoin", "b", "Rejoin", "Rejoin", "", "left")
"""Goes back to a room."""

CONTINUE: Final = Entry("continue", "g", "Continue", "Continue", "", "left")
"""Continues a saved race or championship."""

PLAYED_ELSEWHERE: Final = "It is already open in another window."

SERVER_ENDS: Final = "The server on this machine and all its races end, too."
"""What quitting ends, where a server was started from here."""


def seat_text(saved: SavedSession, folders: Folders) -> str:
    """Say which seat there is to go back to."""
    return f"room {saved.code}{_where(saved, folders)} as {saved.name}"


def going_back_text(saved: SavedSession, folders: Folders) -> str:
    """Say that somebody goes back to a seat, while the server is asked."""
    return f"Going back to room {saved.code}{_where(saved, folders)} ..."


def _where(saved: SavedSession, folders: Folders) -> str:
    """Name the server; to guests, who have one only, its address says nothing."""
    return f" at {saved.address}" if folders.guest_of is None else ""


def go_back_question(saved: SavedSession) -> str:
    """Ask whether somebody who comes to a server or a room takes the seat that they have there."""
    return f"Go back to room {saved.code} as {saved.name}?"


def forget_question(saved: SavedSession) -> str:
    """Ask before a seat is forgotten."""
    return f"Forget the seat of {saved.name} in room {saved.code}? You can then no longer go back to it."


def another_race_question(saved: str) -> str:
    """Ask before a race begins while one is saved.

    Args:
        saved: Which one, how far, and who plays.
    """
    return f"You have a saved {saved}. Continue it, or start another race and remove the saved one?"


class MenuLine(NamedTuple):
    """A line of the menu.

    Attributes:
        about: What it is, or which one, behind its label; may be empty.
        number: Of several lines of one kind, from 1.
        seat: The one to go back to.
        saved: What it continues.
    """

    entry: Entry
    about: str
    number: int = 1
    seat: SavedSession | None = None
    saved: Saved | None = None

    @property
    def key(self) -> str:
        """What chooses it: its letter, behind the first of a kind a number too."""
        return self.entry.key if self.number == 1 else f"{self.entry.key}{self.number}"


class HomeController:
    """What home offers, and what waits to be shown there.

    Attributes:
        lines: The menu.
        server: The one that is started from here.
        plain_mode: Where plain mode is.
    """

    def __init__(
        self, folders: Folders, report: Callable[[str], object], server: HostedServer | None = None
    ) -> None:
        """Begin with an empty menu; `refresh` fills it.

        Args:
            report: Is called with a sentence for each saved race or championship that cannot be continued.
            server: The one that was started before the client and ends with it, if any.
        """
        self.lines: list[MenuLine] = []
        self.server = OwnServer(folders.state, server)
        self._folders = folders
        self._entries = ENTRIES if folders.guest_of is None else GUEST_ENTRIES
        self.plain_mode = plain_mode(folders.plain_way)
        self._games: OwnGames | None = None
        self._report = report
        self._news = ""

    @property
    def games(self) -> OwnGames:
        """The races and championships here; loaded when first asked for: home comes up sooner for it."""
        from heat_tui.flow.own_games import OwnGames

        if self._games is None:
            self._games = OwnGames(self._folders, self._report)
        return self._games

    def refresh(self) -> None:
        """Look again for what can be rejoined and continued."""
        saved = self.games.saved() if are_any_saved(self._folders) else []
        self.lines = [
            *(
                MenuLine(REJOIN, seat_text(seat, self._folders), number, seat=seat)
                for number, seat in enumerate(saved_sessions(self._folders), start=1)
            ),
            *(
                MenuLine(CONTINUE, game.text, number, saved=game)
                for number, game in enumerate(saved, start=1)
            ),
            *(MenuLine(entry, entry.about) for entry in self._entries),
        ]

    @property
    def seats(self) -> list[SavedSession]:
        """The seats of the menu."""
        return [line.seat for line in self.lines if line.seat is not None]

    @property
    def saved(self) -> list[Saved]:
        """What the menu can continue."""
        return [line.saved for line in self.lines if line.saved is not None]

    def finished(self, player_name: str) -> tuple[Finished, ...]:
        """Give the finished races, oldest first; reads a file, at the first time many, so not on the loop."""
        from heat_tui.saved.finished import FinishedIndex

        return FinishedIndex(self._folders, player_name).all()

    def circuit(self, races: Sequence[Finished]) -> TrackFacts:
        """Choose the circuit to show: where a race was left, else of the last one, else of the daily race.

        Reads a file.

        Args:
            races: The finished ones, oldest first.
        """
        from heat_core.files import load_track, track_names
        from heat_core.track_files.file import BadTrack
        from heat_tui.daily import daily_board, today

        if left := next((game.track for game in self.saved if game.track is not None), None):
            return left
        if races:
            with contextlib.suppress(BadTrack):  # one's own track may be gone
                return load_track(races[-1].board)
        return load_track(daily_board(today(), track_names()))

    def line(self, name: str) -> MenuLine | None:
        """Find an entry's line, of several the first."""
        return next((line for line in self.lines if line.entry.name == name), None)

    def forget(self, seat: SavedSession) -> bool:
        """Forget a seat for good, and return whether no other window has it."""
        is_forgotten = forget_session(self._folders, seat)
        self.refresh()
        return is_forgotten

    def close_game(self) -> None:
        """Leave for later what is played at this keyboard: it is saved."""
        if self._games is not None:
            self._games.close()

    # --- what waits to be shown -----------------------------------------------------------------------------

    def leave_news(self, text: str) -> None:
        """Leave one sentence for home to show."""
        self._news = text

    def take_news(self) -> str:
        """Give the sentence left for home."""
        text, self._news = self._news, ""
        return text

    # --- the server on this machine -------------------------------------------------------------------------

    @property
    def quit_question(self) -> str:
        """What to ask before the program is quit; empty: it ends nothing but itself."""
        return f"Quit? {SERVER_ENDS}" if self.server.is_running else ""

    async def end_server(self) -> None:
        """End the server that was started here, and forget the seats at it."""
        await self.server.end()
        for seat in saved_sessions(self._folders):
            if seat.address == str(self.server.address):
                forget_session(self._folders, seat)
