"""What can be asked of a race that is over, at every question behind the flag."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from heat_tui.client.session import Session
from heat_tui.flow.results import ResultsController
from heat_tui.plain.labels import spoken_labels
from heat_tui.plain.looking import log_told
from heat_tui.plain.telling import cars_told, places_told, results_told, seed_told

RACED_WORDS: Final = "results, places (after each round), cars, log, seed"
"""How they are named to who may type them."""


class RacedRace:
    """A race as it was seen here, kept when its table is gone."""

    def __init__(self, session: Session) -> None:
        """Take from a session whose race is over all that is asked later."""
        labels, events, view = spoken_labels(session.setup), session.events_since(0, None), session.view(None)
        results = ResultsController(labels, view, events, session.seats)
        own = session.seats[0] if len(session.seats) == 1 else None
        log = [text for event in events if (text := labels.told(event))]
        self._answers: Mapping[str, Callable[[str], list[str]]] = {
            "results": lambda rest: results_told(results),
            "places": lambda rest: places_told(results.places, labels.names),
            "cars": lambda rest: cars_told(view, labels, (), own),
            "log": lambda rest: log_told(log, rest),
            "seed": lambda rest: seed_told(events, labels),
        }

    def told(self, word: str, rest: str) -> list[str] | None:
        """Give the lines that a word asks for; None: it is none of these."""
        answer = self._answers.get(word)
        return answer(rest) if answer is not None else None
