"""What the screen shows while cards are revealed and cars drive: whose cards, and their sum.

A `TurnReplay` follows the events of the table one by one. For each it says how long the eye needs; the screen
shows it for that long, and any key cuts it short. It keeps nothing that a view would need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from heat_core.cards import CardName
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.sentences.card_words import card_label, card_name, cards_text
from heat_core.sentences.events import flip_reason, gear_name, owed_text, parts_text
from heat_core.track import Track
from heat_core.view.race_view import RaceView
from heat_tui.flow.moments import FINISH_SECONDS, SPIN_OUT_SECONDS, Moment, moment_of
from heat_tui.race.bill import bill_seconds
from heat_tui.race.order import Turns, ranked
from heat_tui.race.presenter import PHASE_NAMES, LegendEntry, RaceLabels
from heat_tui.words.line import DANGER, PLAIN, WARN, Line
from heat_tui.words.road_text import limit_text

_TURN_UP_SECONDS: Final = 0.7
_CARDS_SECONDS: Final = 0.5
_FLIP_SECONDS: Final = 0.35
_DROPPED_SECONDS: Final = 0.5
_LEGEND_CARD_SECONDS: Final = 0.4
_CLUTTERED_SECONDS: Final = 0.8
_LINES: Final = 3
_FIRST_GEAR: Final = 1
_TURNED_UP_IN: Final = {"gear": Phase.SHIFT_GEARS, "discard": Phase.DISCARD}
_WIDTH: Final = 78


class Played(NamedTuple):
    """A card on the table.

    Attributes:
        is_passed_over: Turned up in vain.
    """

    card: CardName
    is_passed_over: bool = False


class TurnReplay:
    """The turn that is being shown.

    Attributes:
        cards: On the table before the car that drives, in the order of turning up.
        legend: What the round's card says to the Legend that drives; None: a driver with cards does.
        car: Whose turn it is, None before the first.
        phase: Of the round, as far as it is told.
        places: Where the cars have come to since the view that is shown: progress and spot.
        order: Of the turns, empty until it is fixed.
        paid: By car, how much Heat has left its engine since that view; negative where more came back.
        gears: By car, the gear that it has come into since that view.
    """

    def __init__(self, labels: RaceLabels, track: Track) -> None:
        """Begin with nothing to tell."""
        self.cards: list[Played] = []
        self.legend: LegendEntry | None = None
        self.car: int | None = None
        self.places: dict[int, tuple[int, int]] = {}
        self.order: tuple[int, ...] = ()
        self.paid: dict[int, int] = {}
        self.gears: dict[int, int] = {}
        self.phase = Phase.SET_UP
        self._labels = labels
        self._track = track
        self._turned_up = 0
        self._legend_card: int | None = None
        self._head = Line("")
        self._told: list[Line] = []

    @property
    def title(self) -> str:
        """Name the phase and who drives."""
        driver = "" if self.car is None else f": {self._name(self.car)}"
        return PHASE_NAMES[self.phase] + driver

    @property
    def lines(self) -> list[Line]:
        """At most three lines: the speed or what turns up, then the newest that happened."""
        head = [self._head] if self._head.text else []
        return [*head, *self._told[-(_LINES - len(head)) :]]

    @property
    def turns(self) -> Turns | None:
        """The turn order as far as it is known here; None: it is the view's."""
        return Turns(self.order, self.order.index(self.car)) if self.car in self.order else None

    def open(self, legend_card: int | None = None) -> None:
        """Begin to tell what has happened since the view that is shown.

        Args:
            legend_card: That lies turned up in that view.
        """
        self._legend_card = legend_card
        self.places = {}
        self.order = ()
        self.paid = {}
        self.gears = {}

    def tell(self, event: e.Event, following: e.Event | None) -> float:
        """Take in the next event.

        Args:
            following: The event after it: what turns up at once is shown at once.

        Returns:
            For how many seconds this should be shown; 0.0: the event itself needs no time.
            What one seat alone turns up is no surprise to anyone.
        """
        self._count_heat(event)
        match event:
            case e.PhaseEntered():
                self.phase = Phase(event.phase)
                return 0.0
            case e.ChoicesTurnedUp():
                self.phase = _TURNED_UP_IN.get(event.kind, self.phase)
                self._begin(None)
                self._turned_up = 0
                return 0.0
            case e.GearShifted():
                self.gears[event.seat] = event.gear
                way = "stays in" if event.gear == event.before else "shifts to"
                return self._turn_up(
                    event, following, f"{self._name(event.seat)} {way} {gear_name(event.gear)}"
                )
            case e.TurnStarted():
                self._begin(event.car)
                self.phase = Phase.REVEAL_AND_MOVE
                return 0.0
            case e.CardsRevealed():
                self.cards = [Played(card) for card in event.cards]
                self._head = Line(f"{self._name(event.seat)}: {cards_text(event.cards)}")
                return _CARDS_SECONDS
            case e.TurnOrderFixed():
                self.order = event.order
                return 0.0
            case e.CarMoved():
                self.places[event.car] = event.end, event.spot
                return 0.0
            case e.LegendMoved():
                self._head = Line(f"{self._name(event.car)}: speed {event.speed}")
                return 0.0
            case e.LegendCardTurned():
                self._legend_card = event.card
                self._take_legend_card()
                self._head, self._told = Line(""), [Line(self._labels.legend_card(event.card))]
                return _LEGEND_CARD_SECONDS
            case _:
                return self._tell_turn(event)

    def moment(self, event: e.Event, view: RaceView, own: int | None) -> Moment | None:
        """Give what is shown over the map for an event, None for most.

        Args:
            view: That is shown; the cars may have driven on since.
            own: Number of the own car; None for a watcher.
        """
        ranking = ranked([view.cars[number] for number in view.ranking], self.places)
        return moment_of(event, ranking, self._labels, own)

    def _tell_turn(self, event: e.Event) -> float:
        match event:
            case e.SpeedSet():
                self._head = Line(
                    f"{self._name(event.seat)}: {parts_text(event.parts)} = speed {event.speed}"
                )
                return 0.0
            case e.CardFlipped():
                self.cards.append(Played(event.card, not event.value))
                end = f"counts {event.value}" if event.value else "no Speed card"
                self._told.append(Line(f"flips {card_name(event.card)} for {flip_reason(event)}: {end}"))
                return _FLIP_SECONDS
            case e.CornerChecked():
                bill = f"corner {event.corner + 1} ({limit_text(event.limit_parts, event.limit)})"
                if not event.owed:
                    self._told.append(Line(f"{bill}: free"))
                    return 0.0
                bill += f": {owed_text(event)}"
                if event.paid < event.owed:
                    self._told.append(Line(f"{bill}, pays {event.paid}: SPIN-OUT", DANGER))
                else:
                    self._told.append(Line(bill, WARN))
                return bill_seconds(event.paid)
            case e.CardPlayedDirectly():
                self.cards.append(Played(event.card))
                self._told.append(Line(f"plays {card_label(event.card)} from the hand"))
                return _FLIP_SECONDS
            case e.CardsDropped():
                dropped = list(event.cards)
                for place, played in enumerate(self.cards):
                    if played.card in dropped and not played.is_passed_over:
                        dropped.remove(played.card)
                        self.cards[place] = Played(played.card, True)
                self._told.append(
                    Line(f"cannot pay for {cards_text(event.cards)}: replaced by a flip", DANGER)
                )
                return _DROPPED_SECONDS
            case e.SpunOut():
                text = f"back to {self._track.space(event.end)}: {event.stress} Stress, 1st gear"
                self._told.append(Line(text, DANGER))
                self.places[event.seat] = event.end, event.spot
                self.gears[event.seat] = _FIRST_GEAR
                return SPIN_OUT_SECONDS
            case e.CarFinished():
                return FINISH_SECONDS
            case e.HandCluttered():
                self.gears[event.seat] = _FIRST_GEAR
                name, text = self._name(event.seat), cards_text(event.hand)
                self._head = Line(f"{name}: CLUTTERED, the car does not move, 1st gear", DANGER)
                self._told.append(Line(f"hand: {text}"))
                self.cards = [Played(card) for card in event.discarded]
                return _CLUTTERED_SECONDS
            case _:
                return 0.0

    def _count_heat(self, event: e.Event) -> None:
        match event:
            case e.HeatPaid():
                self.paid[event.seat] = self.paid.get(event.seat, 0) + event.amount
            case e.HeatCooled() | e.HeatSuperCooled():
                self.paid[event.seat] = self.paid.get(event.seat, 0) - event.amount
            case e.HeatLost(place="engine"):
                self.paid[event.seat] = self.paid.get(event.seat, 0) + 1
            case _:
                pass

    def _begin(self, car: int | None) -> None:
        self.cards, self.car = [], car
        self._take_legend_card()
        self._head, self._told = Line(""), []

    def _take_legend_card(self) -> None:
        if self.car is None or self._legend_card is None:
            self.legend = None
        else:
            self.legend = self._labels.legend_entry(self._legend_card, self.car)

    def _turn_up(self, event: e.Event, following: e.Event | None, text: str) -> float:
        """Show what all seats chose in one go, as many to a line as fit."""
        last = self._told[-1].text if self._told else ""
        if last and len(last) + len(text) + 3 <= _WIDTH:
            self._told[-1] = Line(f"{last} · {text}", PLAIN)
        else:
            self._told.append(Line(text, PLAIN))
        self._turned_up += 1
        goes_on = type(following) is type(event) or isinstance(following, e.HeatPaid)
        return 0.0 if goes_on or self._turned_up == 1 else _TURN_UP_SECONDS

    def _name(self, car: int) -> str:
        return self._labels.names[car]


def is_shown(events: Sequence[e.Event]) -> bool:
    """Tell whether there is anything in these events to look at: something turns up or moves."""
    return any(
        isinstance(event, e.ChoicesTurnedUp | e.TurnStarted | e.CarMoved | e.SpunOut) for event in events
    )
