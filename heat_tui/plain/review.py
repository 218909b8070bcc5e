"""What is offered of a race that has just been raced: results, analysis, and the moments to watch again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord, Record
from heat_tui.client.session import Session
from heat_tui.flow.results import ResultsController
from heat_tui.plain.analysis import PlainAnalysis
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.labels import spoken_labels
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.raced import RACED_WORDS, RacedRace
from heat_tui.plain.replay import PlainReplay
from heat_tui.state import Folders, load_settings

REVIEW_EXPLAINED: Final = (
    f"{RACED_WORDS} say more of the race; analysis says what choices cost and how much was luck; mistake and "
    "a number shows that moment, moment and a number one of those that results names."
)
ONLY_AFTERWARDS: Final = ("results", "places", "analysis", "mistake", "moment")
"""What nothing can be said of while a race runs."""
REVIEW_WORDS: Final = (*ONLY_AFTERWARDS, "cars", "log", "seed")
_NO_RECORD: Final = "There is nothing to analyse yet: the record is saved when everything is over."


class Review:
    """A look back at one race."""

    def __init__(
        self, terminal: LineTerminal, folders: Folders, session: Session, record: Record | None
    ) -> None:
        """Make it; the record is read when it is first asked for.

        Args:
            folders: For what is written without a name.
            session: Of the race, which is over.
            record: None: there is none yet, so results, places and log are all that can be asked.
        """
        self._terminal = terminal
        self._folders = folders
        self._raced = RacedRace(session)
        self._record = record
        self._seats = session.seats
        self._read: tuple[Playback, PlainAnalysis] | None = None
        self._commands: Mapping[str, Callable[[str], Awaitable[None]]] = {
            "analysis": lambda rest: self._tell(),
            "mistake": self._show_mistake,
            "moment": self._show_moment,
        }

    async def takes(self, line: str) -> bool:
        """Answer a line that asks about the race; returns whether it was one.

        Raises:
            Left: Whoever typed is gone.
        """
        word, _, rest = line.casefold().partition(" ")
        lines = self._raced.told(word, rest.strip())
        for text in lines or ():
            self._terminal.say(text)
        if lines is not None:
            return True
        command = self._commands.get(word)
        if command is not None:
            await command(rest.strip())
        return command is not None

    async def tell_bests(self) -> None:
        """Say which of the player's own records the race beat."""
        try:
            results = await self._results()
        except BadRecord:
            return
        name = load_settings(self._folders).player_name
        for sentence in await asyncio.to_thread(results.bests, self._folders, name):
            self._terminal.say(sentence)

    async def _tell(self) -> None:
        """Say the analysis, or why there is none."""
        try:
            _, analysis = await self._opened()
            await analysis.tell()
        except (BadRecord, BadAnswer) as error:
            self._terminal.say(str(error))

    async def _show_mistake(self, number: str) -> None:
        """Walk from the moment of a mistake, or say why there is none of that number.

        Raises:
            Left: Whoever typed is gone.
        """
        try:
            playback, analysis = await self._opened()
            place = await analysis.place_of_mistake(number)
        except (BadRecord, BadAnswer) as error:
            self._terminal.say(str(error))
        else:
            await self._walk(playback, place)

    async def _show_moment(self, number: str) -> None:
        """Walk from one of the moments that the results named, or say why there is none of that number.

        Raises:
            Left: Whoever typed is gone.
        """
        try:
            playback, _ = await self._opened()
            results = await self._results()
            place = results.place_of(read_number(number, 1, max(1, len(results.highlights)), "The moment"))
        except (BadRecord, BadAnswer) as error:
            self._terminal.say(str(error))
        else:
            await self._walk(playback, place or 0)

    async def _results(self) -> ResultsController:
        """Read the results of the race; raises as `_opened` does."""
        playback, _ = await self._opened()
        labels, view = spoken_labels(playback.record.setup), playback.view(playback.last, None)
        return ResultsController(labels, view, (), [*self._seats], playback)

    async def _walk(self, playback: Playback, place: int) -> None:
        await PlainReplay(playback, self._terminal, self._folders, place).run()

    async def _opened(self) -> tuple[Playback, PlainAnalysis]:
        """Read the race once.

        Raises:
            BadRecord: It does not hold, or there is none.
        """
        if self._record is None:
            raise BadRecord(_NO_RECORD)
        if self._read is None:
            playback = await asyncio.to_thread(Playback, self._record)
            labels = spoken_labels(self._record.setup)
            self._read = playback, PlainAnalysis(playback, labels, self._terminal, self._seats)
        return self._read
