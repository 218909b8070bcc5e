"""Looking around a race in lines, raced or played back: commands that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from heat_core.view.race_view import Observation, RaceView
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.pages import rules_told
from heat_tui.plain.telling import (
    cards_explained,
    cars_told,
    hand_told,
    piles_told,
    road_told,
    weather_told,
    where_told,
)
from heat_tui.plain.words import sentence_of
from heat_tui.race.presenter import RaceLabels

_USUAL_LOG_LINES: Final = 10


class Looking:
    """What can be looked at.

    Attributes:
        log: Everything told so far, a sentence each.
        viewer: Whose hand is open, None for nobody's.
    """

    viewer: int | None

    def __init__(self, voice: LineTerminal, labels: RaceLabels) -> None:
        """Begin with nothing told."""
        self.voice = voice
        # Nobody sees letters on a map: whoever a Legend card moves is called by name.
        self.labels = labels._replace(letters=labels.names)
        self.track = labels.track
        self.log: list[str] = []

    @property
    def race_view(self) -> RaceView:
        """The newest view of whoever looks."""
        raise NotImplementedError

    @property
    def observation(self) -> Observation | None:
        """What the viewer sees, None while nobody's hand is open."""
        view = self.race_view
        return Observation(self.labels.setup, view) if view.own is not None else None

    @property
    def away(self) -> Sequence[int]:
        """The seats whose drivers are not there."""
        return ()

    def looks(self, word: str, rest: str) -> bool:
        """Do a command that tells something, and tell whether it was one."""
        public: dict[str, Callable[[], list[str]]] = {
            "cars": lambda: cars_told(self.race_view, self.labels, self.away),
            "road": self._road,
            "log": lambda: self._log(rest),
            "rules": lambda: rules_told(rest),
            "weather": lambda: weather_told(self.race_view, self.labels, self.track),
        }
        own: dict[str, Callable[[Observation], list[str]]] = {
            "where": lambda observation: where_told(observation, self.labels),
            "hand": hand_told,
            "piles": piles_told,
            "cards": lambda observation: cards_explained(
                observation.view.offered or (*observation.own.hand, *observation.own_car.played)
            ),
        }
        if word in public:
            lines = public[word]()
        elif word in own:
            observation = self.observation
            lines = ["Nobody's hand is open now."] if observation is None else own[word](observation)
        else:
            return False
        for line in lines:
            self.voice.say(line)
        return True

    def _road(self) -> list[str]:
        view = self.race_view
        car = self.viewer if self.viewer is not None else view.ranking[0]
        return road_told(view, self.labels, self.track, car)

    def _log(self, rest: str) -> list[str]:
        if rest == "all":
            return [sentence_of(text) for text in self.log]
        number = int(rest) if rest.isdecimal() and len(rest) < 6 else _USUAL_LOG_LINES
        return [sentence_of(text) for text in self.log[-max(1, number) :]]
