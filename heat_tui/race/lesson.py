"""A first race's lesson: what is explained when it first happens, and in which order.

Theory of operation. The lesson hears every event and looks at the view whenever something is asked. For each
decision it has at most one thing to explain: what has just gone wrong, then what is asked for the first time,
then what has happened for the first time since. It stays until that decision is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from heat_core import events as e
from heat_core.cards import HEAT, STRESS
from heat_core.choices import CardsChoice, DiscardChoice, GearChoice, ReactChoice, SlipstreamChoice
from heat_core.track import Track
from heat_core.view import RaceView

Topic: TypeAlias = Literal[
    "gear",
    "cards",
    "stress",
    "react",
    "cooling",
    "boost",
    "adrenaline",
    "slipstream",
    "discarding",
    "heat",
    "corner",
    "legends",
    "spin-out",
    "finish",
    "end",
]

NEAR_THE_FINISH_SPACES: Final = 14


class Hint(NamedTuple):
    """Something explained.

    Attributes:
        title: What it is about.
        text: How it works.
        doing: What to look at on the screen, and what to press.
    """

    title: str
    text: str
    doing: str


HINTS: Final[dict[Topic, Hint]] = {
    "gear": Hint(
        "Gear",
        "Your gear is how many cards you play. One step up or down is free, two cost 1 Heat.",
        "The lever is at the lower right: left and right move it, Enter shifts.",
    ),
    "cards": Hint(
        "Cards",
        "Pick as many cards as your gear. Their sum is how far you drive, and your speed in corners.",
        "1-9 pick; the lines below tell where that ends; Enter plays.",
    ),
    "stress": Hint(
        "Stress",
        "Stress in your hand is a gamble: played, it flips cards from your pile until a plain one "
        "turns up, and you drive that far.",
        "The lines below show the range.",
    ),
    "react": Hint(
        "React",
        "You have driven. Now you may use what your gear and cards still offer, or nothing.",
        "Up and down select, Enter uses; on the last row it ends this.",
    ),
    "cooling": Hint(
        "Cooling",
        "Low gears cool: 1st brings three Heat from your hand back to the engine, 2nd one. Other "
        "cards take its place.",
        "c selects it, Enter does it.",
    ),
    "boost": Hint(
        "Boost",
        "Pay 1 Heat, flip a card of your pile and drive its value further. It counts as speed in corners.",
        "b selects it; the lines below tell what may come of it.",
    ),
    "adrenaline": Hint(
        "Adrenaline",
        "Who is last gets a little help: one space further, and one Heat more to cool.",
        "a selects the space, c the cooling; Enter uses it.",
    ),
    "slipstream": Hint(
        "Slipstream",
        "Beside a car or right behind one, you may be pulled two spaces on. It adds no speed, but "
        "crosses corner lines.",
        "s takes it, n does not; Enter confirms.",
    ),
    "discarding": Hint(
        "Discarding",
        "Throw away what you do not want, then you draw back to seven. Heat and Stress stay.",
        "1-9 pick; Enter goes on, with none picked too.",
    ),
    "heat": Hint(
        "Heat",
        "You paid Heat. It left the engine for your discard pile, and will come back as a dead card "
        "in your hand.",
        "The gauge at the lower right shows what is left.",
    ),
    "corner": Hint(
        "Corner",
        "You crossed a corner line. Each step of speed above its limit costs 1 Heat: plan for the next one.",
        "The road above your cards shows the lines with their limits.",
    ),
    "legends": Hint(
        "Legends",
        "They have no hand: one card a round moves them all. They brake for corners, pay nothing, and "
        "are fast on straights.",
        "The log at the right tells their card.",
    ),
    "spin-out": Hint(
        "Spin-out",
        "Too fast, and too little Heat: you are back before the corner, in 1st gear, with Stress in "
        "your hand.",
        "Stay in 1st gear and cool: c takes three Heat out of your hand.",
    ),
    "finish": Hint(
        "Finish",
        "The line is near. The round in which a car crosses it is the last; then whoever is furthest "
        "wins. Heat is worth nothing afterwards.",
        "The lines below tell when you would be over it.",
    ),
    "end": Hint(
        "The end",
        "That was the race. Hints are off from now on; the settings turn them on again.",
        "Enter shows who came where.",
    ),
}


class Lesson:
    """What has been explained so far.

    Attributes:
        told: The topics, in order.
    """

    def __init__(self) -> None:
        """Begin with nothing explained."""
        self.told: list[Topic] = []
        self._happened: list[Topic] = []
        self._moment: object = None
        self._hint: Hint | None = None

    def hear(self, event: e.Event, seat: int | None) -> None:
        """Take in what happened.

        Args:
            seat: Whose lesson it is.
        """
        topic: Topic | None = None
        match event:
            case e.LegendMoved():
                topic = "legends"
            case e.HeatPaid() if event.seat == seat:
                topic = "heat"
            case e.CornerChecked() if event.seat == seat:
                topic = "corner"
            case e.SpunOut() if event.seat == seat:
                topic = "spin-out"
            case _:
                pass
        if topic is not None and topic not in self.told and topic not in self._happened:
            self._happened.append(topic)

    def look(self, view: RaceView, track: Track, laps: int) -> Hint | None:
        """Say what to explain now, None for nothing.

        Args:
            view: Of the seat whose lesson it is.
            laps: Of the race.
        """
        own = view.own
        if view.status == "ended":
            moment: object = "ended"
        else:
            moment = own.decision if own is not None and own.choice is not None else None
        if moment != self._moment:
            self._moment = moment
            topic = None if moment is None else self._next(view, track, laps)
            self._hint = HINTS[topic] if topic is not None else None
        return self._hint

    def _next(self, view: RaceView, track: Track, laps: int) -> Topic | None:
        for topic in self._due(view, track, laps):
            if topic not in self.told:
                self.told.append(topic)
                if topic in self._happened:
                    self._happened.remove(topic)
                return topic
        return None

    def _due(self, view: RaceView, track: Track, laps: int) -> Iterator[Topic]:
        """Give what could be explained now, the most urgent first."""
        own = view.own
        if view.status == "ended" or own is None:
            yield "end"
            return
        if "spin-out" in self._happened:
            yield "spin-out"
        match own.choice:
            case GearChoice():
                yield "gear"
                first = max(car.progress for car in view.cars if car.is_on_track)
                if track.finish_line(laps) - first <= NEAR_THE_FINISH_SPACES:
                    yield "finish"
            case CardsChoice():
                yield "cards"
                if STRESS in own.hand:
                    yield "stress"
            case ReactChoice():
                yield from _reactions(own.choice, has_heat=HEAT in own.hand)
            case SlipstreamChoice():
                yield "slipstream"
            case DiscardChoice():
                yield "discarding"
            case _:
                pass
        yield from [*self._happened]


def _reactions(choice: ReactChoice, *, has_heat: bool) -> Iterator[Topic]:
    """Give what there is to say about the symbols of a turn."""
    yield "react"
    usable = [use.symbol for use in choice.symbols if use.most]
    if any(symbol.source == "adrenaline" for symbol in usable):
        yield "adrenaline"
    if has_heat and any(symbol.kind == "cooldown" for symbol in usable):
        yield "cooling"
    if any(symbol.kind == "boost" for symbol in usable):
        yield "boost"
