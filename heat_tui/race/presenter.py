"""From a view to what the panels show. No widget is named here; the screen hands the results on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from heat_core.data.facts import SymbolKind
from heat_core.data.legends import LEGEND_CARDS
from heat_core.decisions import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.rules.preparing import stress_and_heat
from heat_core.sentences.events import gear_name, sentence
from heat_core.track import Track, compile_track
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_tui.map.marks import CarMark
from heat_tui.race.letters import car_letters
from heat_tui.race.rows import Entry

PHASE_NAMES = {
    Phase.SET_UP: "SET-UP",
    Phase.SHIFT_GEARS: "1 SHIFT GEARS",
    Phase.PLAY_CARDS: "2 PLAY CARDS",
    Phase.REVEAL_AND_MOVE: "3 MOVE",
    Phase.ADRENALINE: "4 ADRENALINE",
    Phase.REACT: "5 REACT",
    Phase.SLIPSTREAM: "6 SLIPSTREAM",
    Phase.CHECK_CORNERS: "7 CORNERS",
    Phase.DISCARD: "8 DISCARD",
    Phase.REPLENISH: "9 REPLENISH",
    Phase.ENDED: "THE END",
}

SYMBOL_USES: Final[dict[SymbolKind, str]] = {
    "cooldown": "race.cool",
    "super_cool": "race.cool",
    "boost": "race.boost",
    "speed": "race.adrenaline",
    "heat": "race.pay",
    "scrap": "race.scrap",
    "salvage": "race.salvage",
    "reduce_stress": "race.stress",
    "accelerate": "race.accelerate",
    "draft": "race.draft",
}
"""What the key is for that uses the next symbol of a kind, as the table of keys calls it."""

DIRECT_USE: Final = "race.direct"
"""The same for the next card of the hand that is played directly."""


class LegendEntry(NamedTuple):
    """What a Legend card says to one Legend.

    Attributes:
        diamond: How much faster than its limit it takes a corner.
        top_speed: Of the card, with what the Legend adds to it.
    """

    diamond: int
    top_speed: int


class RaceLabels(NamedTuple):
    """Who races, as far as it never changes."""

    names: tuple[str, ...]
    letters: tuple[str, ...]
    setup: RaceSetup

    @property
    def track(self) -> Track:
        """The compiled track."""
        return compile_track(self.setup.track)

    def observation(self, view: RaceView) -> Observation | None:
        """Put a view and the set-up together; None unless it is a seat's view."""
        return Observation(self.setup, view) if view.own is not None else None

    def engine_size(self, view: RaceView) -> int:
        """Give the Heat of a whole engine: the track's, as weather and event change it."""
        return stress_and_heat(self.setup, view.weather)[1]

    @classmethod
    def of(cls, setup: RaceSetup) -> RaceLabels:
        """Name the cars of a set-up."""
        names = tuple(car.name for car in setup.cars)
        return cls(names, car_letters(names), setup)

    def legend_entry(self, card: int, car: int) -> LegendEntry | None:
        """Give what a Legend card means to a car; None: it is no Legend."""
        legend = self.setup.cars[car].legend
        if legend is None or legend.helmet is None:
            return None
        diamond, speed = LEGEND_CARDS[card][legend.helmet]
        return LegendEntry(diamond, speed + legend.bonus)

    def legend_card(self, card: int) -> str:
        """Say what a Legend card means to the Legends of this race."""
        entries = [(letter, self.legend_entry(card, car)) for car, letter in enumerate(self.letters)]
        told = [
            f"{letter} speed {entry.top_speed}, diamond {entry.diamond}" for letter, entry in entries if entry
        ]
        return "Legend card: " + "; ".join(told)

    def told(self, event: e.Event) -> str | None:
        """Say an event for the log, without its full stop; None for what is not shown."""
        if isinstance(event, e.LegendCardTurned):
            return self.legend_card(event.card)
        return sentence(event, self.names, self.track)


def asked(view: RaceView) -> str:
    """Say what phase 1 to 8 ask of the seat that watches, "" where nothing is asked."""
    own = view.own
    if own is None or own.choice is None:
        return ""
    gear = view.cars[own.seat].gear
    match own.choice:
        case GearChoice():
            return "choose a gear"
        case CardsChoice(is_cluttered=True):
            return "your hand is cluttered"
        case CardsChoice():
            return f"pick {own.choice.count} for {gear_name(gear)} gear"
        case ReactChoice():
            return "use what you want"
        case ValueChoice():
            return "choose the speed of your cards"
        case UnpaidChoice():
            return "not enough Heat: drop cards"
        case SlipstreamChoice():
            return "slipstream?"
        case DiscardChoice(most=0, refreshable=()):
            return "you can discard nothing"
        case DiscardChoice(refreshable=()):
            return "discard what you want"
        case DiscardChoice():
            return "discard and refresh"
        case PickChoice():
            return "pick an upgrade"
        case SwapChoice():
            return "swap an upgrade?"


def waiting_for(view: RaceView, labels: RaceLabels, own_seat: int | None) -> str:
    """Name the seats that still owe a choice, oneself first as `you`."""
    due = [decision.seat for decision in view.decisions if not decision.has_chosen]
    names = ["you"] if own_seat in due else []
    names += [labels.names[seat] for seat in due if seat != own_seat]
    return ", ".join(names)


def entries(
    view: RaceView,
    labels: RaceLabels,
    own_seat: int | None,
    away: Collection[int] = frozenset(),
    order_before: Sequence[int] = (),
) -> list[Entry]:
    """Make the lines of the standings, the leader first.

    Args:
        away: Seats whose drivers are not there.
        order_before: The turn order that was fixed last, for the places won and lost since.
    """
    marks = {decision.seat: "chosen" if decision.has_chosen else "waiting" for decision in view.decisions}
    marks |= dict.fromkeys(away, "away")
    active = view.turn.car if view.turn else None
    return [
        Entry(
            car=view.cars[number],
            name=labels.names[number],
            letter=labels.letters[number],
            colour=labels.setup.cars[number].colour,
            is_own=number == own_seat,
            is_active=number == active,
            mark=marks.get(number, ""),
            place=place,
            gained=order_before.index(number) + 1 - place if number in order_before else 0,
        )
        for place, number in enumerate(view.ranking, start=1)
    ]


def car_marks(view: RaceView, labels: RaceLabels, own_seat: int | None) -> list[CarMark]:
    """Make the marks of the cars on the track."""
    active = view.turn.car if view.turn else None
    return [
        CarMark(
            car.number,
            labels.letters[car.number],
            labels.setup.cars[car.number].colour,
            car.progress,
            car.spot,
            car.number == active,
            car.number == own_seat,
        )
        for car in view.cars
        if car.is_on_track
    ]


def discard_pile_lines(view: RaceView, seat: int, hand_names: dict[str, str]) -> list[Text]:
    """Count the cards of a discard pile, and what the draw pile can still hold."""
    lines = [Text("Discard pile", style="bold")]
    pile = view.cars[seat].discard_pile
    lines += [Text(f"  {pile.count(card)} × {name}") for card, name in hand_names.items() if card in pile]
    if not pile:
        lines.append(Text("  empty"))
    if view.own is not None and view.own.seat == seat:
        lines += [Text(""), Text("Draw pile, in unknown order", style="bold")]
        rest = view.own.draw_pile
        lines += [Text(f"  {rest.count(card)} × {name}") for card, name in hand_names.items() if card in rest]
        if not rest:
            lines.append(Text("  empty; the discard pile will be shuffled"))
    return lines


def road_start(view: RaceView, own_seat: int | None, track: Track) -> int:
    """Give the progress from which the road ahead is drawn: one space behind the own or the first car."""
    number = own_seat if own_seat is not None else view.ranking[0]
    car = view.cars[number]
    return max(1, (car.progress if car.is_on_track else view.cars[view.ranking[0]].progress) - 1)
