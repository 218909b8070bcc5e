"""Looking around a race or a replay in lines: commands that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from heat_core.planner.upgrade_worths import worths_in
from heat_core.race import events as e
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_tui.plain.pages import rules_told
from heat_tui.plain.telling import (
    cards_explained,
    cars_told,
    hand_told,
    legends_told,
    piles_told,
    road_told,
    seed_told,
    weather_told,
    where_told,
)
from heat_tui.plain.words import sentence_of, without_hashes
from heat_tui.race.presenter import RaceLabels

_USUAL_LOG_LINES: Final = 10


class Scene(NamedTuple):
    """A moment of a race that can be looked at.

    Attributes:
        view: As the viewer sees it.
        viewer: Whose hand is open, None for nobody's.
        log: Everything shown so far, a sentence each.
        events: Everything that has happened so far, as all may know it.
        away: The seats whose drivers are not there.
    """

    labels: RaceLabels
    view: RaceView
    viewer: int | None
    log: Sequence[str]
    away: Collection[int] = ()
    events: Sequence[e.Event] = ()

    @property
    def observation(self) -> Observation | None:
        """What the viewer sees, None while nobody's hand is open."""
        return self.labels.observation(self.view)


def looked_at(scene: Scene, word: str, rest: str) -> list[str] | None:
    """Give the lines that a command of looking around asks for; None: it is no such command."""
    labels, view, track = scene.labels, scene.view, scene.labels.track
    public: dict[str, Callable[[], list[str]]] = {
        "cars": lambda: cars_told(view, labels, scene.away, scene.viewer),
        "legends": lambda: legends_told(scene.events, labels),
        "seed": lambda: seed_told(scene.events, labels),
        "road": lambda: road_told(
            view, labels, track, scene.viewer if scene.viewer is not None else view.ranking[0]
        ),
        "log": lambda: log_told(scene.log, rest),
        "rules": lambda: rules_told(rest),
        "weather": lambda: weather_told(view, labels, track),
    }
    own: dict[str, Callable[[Observation], list[str]]] = {
        "where": lambda observation: where_told(observation, labels),
        "hand": hand_told,
        "piles": piles_told,
        "cards": _cards_told,
    }
    if word in public:
        return public[word]()
    if word in own:
        observation = scene.observation
        return ["Nobody's hand is open now."] if observation is None else own[word](observation)
    return None


def _cards_told(observation: Observation) -> list[str]:
    """Explain what is on offer in the garage, else the hand."""
    if observation.view.offered:
        return cards_explained(observation.view.offered, worths_in(observation.setup))
    return cards_explained((*observation.own.hand, *observation.own_car.played))


def log_told(log: Sequence[str], rest: str) -> list[str]:
    """Give the last ten lines of a log, as many as are asked for, or `all`, which alone has hashes whole."""
    if rest == "all":
        return [sentence_of(text) for text in log]
    number = int(rest) if rest.isdecimal() and len(rest) < 6 else _USUAL_LOG_LINES
    return [sentence_of(without_hashes(text)) for text in log[-max(1, number) :]]
