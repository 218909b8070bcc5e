"""A first race's lesson: what is explained when it first happens, and in which order.

Theory of operation. The lesson hears every event and looks at the view whenever something is asked. For each
decision it has at most one thing to explain, which stays until that decision is made: first how to answer it
at all, then a spin-out and that the race is ending, then what this decision offers for the first time, then
what has happened since, the oldest first. What has to wait comes at one of the next decisions; only a word of
it may be said at once. What happened before the first look, in a race that is continued, is explained when it
happens again: "You crossed a corner line" would be said of one that was crossed days ago.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from heat_core.cards import HEAT, STRESS
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    ReactChoice,
    SlipstreamChoice,
    only_answer,
)
from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.track import compile_track
from heat_core.view.race_view import OwnView, RaceView
from heat_tui.words.hints import ALSO, FINISH_OF_EACH, HINTS, Hint, Topic, end_hint, spin_out_hint, with_more

NEAR_THE_FINISH_SPACES: Final = 14

_URGENT: Final[tuple[Topic, ...]] = ("spin-out", "last-round")
"""What happened that is explained before all that only happened."""


class Lesson:
    """What has been explained so far.

    Attributes:
        told: The topics, in order.
    """

    def __init__(self) -> None:
        """Begin with nothing explained."""
        self.told: list[Topic] = []
        self._happened: list[Topic] = []
        self._finisher: Literal["own", "other"] | None = None
        self._stress = 1
        self._has_looked = False
        self._moment: object = None
        self._hint: Hint | None = None

    def hear(self, event: e.Event, seat: int | None) -> None:
        """Take in what happened.

        Args:
            seat: Whose lesson it is.
        """
        topic: Topic | None = None
        match event:
            case e.TurnOrderFixed():
                topic = "order"
            case e.LegendMoved():
                topic = "legends"
            case e.HeatPaid() if event.seat == seat:
                topic = "heat"
            case e.CornerChecked() if event.seat == seat:
                topic = "corner"
            case e.SpunOut() if event.seat == seat:
                topic, self._stress = "spin-out", event.stress
            case e.CarFinished():
                self._finisher = self._finisher or ("own" if event.car == seat else "other")
            case _:
                pass
        if topic is not None and topic not in self.told and topic not in self._happened:
            self._happened.append(topic)

    def look(self, view: RaceView, setup: RaceSetup) -> Hint | None:
        """Say what to explain now, None for nothing.

        Args:
            view: Of the seat whose lesson it is.
        """
        if not self._has_looked:
            self._has_looked = True
            self._happened.clear()
        moment = _moment(view)
        if moment != self._moment:
            self._moment = moment
            self._hint = None if moment is None else self._next(view, setup)
        return self._hint

    def _next(self, view: RaceView, setup: RaceSetup) -> Hint | None:
        own = view.own
        if view.status == "ended" or own is None or own.choice is None:
            return None if "end" in self.told else self._tell("end", view, setup)
        phase, offered = _phase_topic(own.choice), _offered(view, own, setup)
        if phase is not None and phase not in self.told:
            hint = self._tell(phase, view, setup)
            new = [topic for topic in offered if topic in ALSO and topic not in self.told]
            return with_more(hint, new[0]) if new else hint
        if view.is_last_round and "last-round" not in self._happened:
            self._happened.append("last-round")
        urgent = [topic for topic in _URGENT if topic in self._happened]
        for topic in (*urgent, *offered, *self._happened):
            if topic not in self.told:
                return self._tell(topic, view, setup)
        return None

    def _tell(self, topic: Topic, view: RaceView, setup: RaceSetup) -> Hint:
        """Note that a topic is explained, and give the words that are true now."""
        self.told.append(topic)
        match topic:
            case "spin-out":
                has_heat = view.own is not None and HEAT in view.own.hand
                return spin_out_hint(self._stress, has_heat_in_hand=has_heat)
            case "finish" if setup.rules.race_end != "first_finisher":
                return FINISH_OF_EACH
            case "end":
                return end_hint(self._finisher if view.is_last_round else None)
            case _:
                return HINTS[topic]


def _moment(view: RaceView) -> object:
    """Give what changes whenever something new can be explained, None while nothing is asked."""
    own = view.own
    if view.status == "ended":
        return "ended"
    if own is None or own.choice is None or only_answer(own.choice) is not None:
        return None  # what answers itself leaves no time to read
    return own.decision


def _phase_topic(choice: Choice) -> Topic | None:
    """Give the topic that tells how to answer a choice at all."""
    match choice:
        case GearChoice():
            return "gear"
        case CardsChoice():
            return "cards"
        case ReactChoice():
            return "react"
        case SlipstreamChoice():
            return "slipstream"
        case DiscardChoice():
            return "discarding"
        case _:
            return None


def _offered(view: RaceView, own: OwnView, setup: RaceSetup) -> list[Topic]:
    """Give what there is about this decision besides how to answer it."""
    topics: list[Topic] = []
    match own.choice:
        case GearChoice():
            first = max(car.progress for car in view.cars if car.is_on_track)
            if compile_track(setup.track).finish_line(setup.laps) - first <= NEAR_THE_FINISH_SPACES:
                topics.append("finish")
        case CardsChoice() if STRESS in own.hand:
            topics.append("stress")
        case ReactChoice():
            topics.extend(_reactions(own.choice, has_heat=HEAT in own.hand))
        case _:
            pass
    return topics


def _reactions(choice: ReactChoice, *, has_heat: bool) -> Iterator[Topic]:
    """Give what there is to say about the symbols of a turn."""
    usable = [use.symbol for use in choice.symbols if use.most]
    if any(symbol.source == "adrenaline" for symbol in usable):
        yield "adrenaline"
    if has_heat and any(symbol.kind == "cooldown" for symbol in usable):
        yield "cooling"
    if any(symbol.kind == "boost" for symbol in usable):
        yield "boost"
