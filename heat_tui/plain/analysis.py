"""The analysis of a race in sentences, with a number for each mistake that leads to its moment."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Final

from heat_core.coach.analysis import Analysis
from heat_core.record.playback import Playback
from heat_tui.flow.analysis import AnalysisController
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import sentence_of
from heat_tui.race.presenter import RaceLabels
from heat_tui.words.analysis_text import (
    EXPLAINED,
    chances_sentences,
    mistake_text,
    mistakes_of,
    own_first,
    seat_sentence,
)

_SECONDS: Final = 5.0
"""How often it is said how far the analysis has come."""


class PlainAnalysis:
    """One race's analysis, made when it is first asked for."""

    def __init__(
        self, playback: Playback, labels: RaceLabels, terminal: LineTerminal, own: Collection[int] = ()
    ) -> None:
        """Make it.

        Args:
            own: The seats played here, which come first.
        """
        self._controller = AnalysisController(playback)
        self._labels = labels
        self._terminal = terminal
        self._own = own

    async def tell(self) -> None:
        """Analyse the race, and say what was found.

        Raises:
            BadAnswer: There is no analysis; the text says why.
        """
        analysis = await self._analysed()
        say, names = self._terminal.say, self._labels.names
        seats = own_first(analysis.seats, self._own)
        for sentence in chances_sentences(analysis, names):
            say(sentence)
        for seat in seats:
            say(seat_sentence(seat, names[seat.seat]))
        say(EXPLAINED)
        mistakes = mistakes_of(seats)
        for number, mistake in enumerate(mistakes, start=1):
            say(f"{number}: {sentence_of(mistake_text(self._labels, mistake))}")
        if mistakes:
            say("mistake and a number shows that moment. For example: mistake 1")
        else:
            say("Nobody made a mistake worth naming.")

    async def place_of_mistake(self, text: str) -> int:
        """Give the moment of a mistake by its number.

        Raises:
            BadAnswer: There is none of that number, or no analysis.
        """
        analysis = await self._analysed()
        mistakes = mistakes_of(own_first(analysis.seats, self._own))
        if not mistakes:
            raise BadAnswer("Nobody made a mistake worth naming.")
        number = read_number(text, 1, len(mistakes), "The number of a mistake")
        return self._controller.playback.place_of_event(mistakes[number - 1].event - 1)

    async def _analysed(self) -> Analysis:
        controller = self._controller
        if controller.analysis is None and not controller.fault:
            self._terminal.say(f"{controller.progress}.")  # it takes its time, and silence says nothing
        running = asyncio.ensure_future(controller.run())
        try:
            while not (await asyncio.wait([running], timeout=_SECONDS))[0]:
                self._terminal.say(f"{controller.progress} ...")
            await running
        finally:
            running.cancel()
        if controller.analysis is None:
            raise BadAnswer(controller.fault)
        return controller.analysis
