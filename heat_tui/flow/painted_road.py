"""The road painted with what the open choice leads to: each space where a pick may end, and at what price.

Theory of operation. Every pick that the choice still allows beside what is picked so far is forecast. The
space where it ends, if no other car is in the way, gets the mildest of the states that picks have there; a
corner gets a mark from the half-made choice alone. Picks of equal plain cards are forecast once. Nothing is
painted for a pick whose cards the engine cannot pay: flips would replace them.

A hand of upgrades has so many picks that a screen would stand still for them all. `RoadPainter` goes through
them in slices, and shows nothing before all have been looked at: half a road would say something wrong.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from heat_core.cards import (
    CARD_FLIPS,
    CARD_SPEEDS,
    REACT_SYMBOLS,
    VALUE_CHOICES,
    CardName,
    playable_cards,
)
from heat_core.decisions import CardsChoice, GearChoice, ReactChoice, SlipstreamChoice
from heat_core.decisions.base import multisets
from heat_core.decisions.kinds import enumerate_commands
from heat_core.race import commands as c
from heat_core.view.forecast import (
    forecast_direct,
    forecast_each_value,
    forecast_end_of_react,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
    forecast_values,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome
from heat_tui.map.marks import BARE_ROAD, CornerMark, CornerState, RoadMarks, RoadState
from heat_tui.race.draft import Draft
from heat_tui.words.wording import draft_outcomes

MILDEST_FIRST: Final[tuple[CornerState, ...]] = ("free", "heat", "spin_out")


class PaintedRoad(NamedTuple):
    """What the road shows of the open choice.

    Attributes:
        marks: For the map and the strip.
        may_change: Whether cars that drive before the own one may make a pick end elsewhere.
    """

    marks: RoadMarks = BARE_ROAD
    may_change: bool = False


NOTHING_PAINTED: Final = PaintedRoad()
SLICE_SECONDS: Final = 0.008
"""Of painting at once: less than a screen's frame at 60 a second."""


def paint_road(observation: Observation, draft: Draft) -> PaintedRoad:
    """Paint the road for a half-made choice; bare where nothing that is asked moves the car."""
    *_, painted = _painting(observation, draft)
    assert painted is not None
    return painted


class RoadPainter:
    """Paints the road of a choice that changes, a slice at a time.

    Attributes:
        road: Of the choice that `begin` was given; bare until it is finished.
    """

    def __init__(self) -> None:
        """Begin with nothing to paint."""
        self.road = NOTHING_PAINTED
        self._draft: Draft | None = None
        self._event_number = -1
        self._work: Iterator[PaintedRoad | None] = iter(())

    def begin(self, observation: Observation | None, draft: Draft | None) -> None:
        """Paint for another choice, unless it is the same as before; None: there is none."""
        number = -1 if observation is None else observation.view.event_number
        if (number, draft) == (self._event_number, self._draft):
            return
        self._event_number, self._draft = number, draft.copy() if draft is not None else None
        self.road, self._work = NOTHING_PAINTED, iter(())
        if observation is not None and self._draft is not None:
            self._work = _painting(observation, self._draft)

    def paint(self, seconds: float = SLICE_SECONDS) -> bool:
        """Go on painting for about so long; returns whether the road is finished."""
        end = time.perf_counter() + seconds
        for road in self._work:
            if road is not None:
                self.road = road
            elif time.perf_counter() >= end:
                return False
        return True


def _painting(observation: Observation, draft: Draft) -> Iterator[PaintedRoad | None]:
    """Yield None after each forecast, and the road in the end."""
    spaces: dict[int, RoadState] = {}
    may_change = False
    for forecast in _open_forecasts(observation, draft):
        yield None
        for outcome in () if forecast.lacking else forecast.outcomes:
            price: RoadState = state_of(forecast, outcome)
            space = observation.track.space(outcome.end)
            spaces[space] = _milder(spaces.get(space, price), price)
            may_change |= not outcome.is_certain
    if isinstance(observation.own.choice, SlipstreamChoice):
        here = observation.own_car.space
        for space, state in spaces.items():
            if state == "free" and space != here:
                spaces[space] = "slipstream"
    chosen = _chosen_outcomes(observation, draft)
    for outcome in chosen:
        space = observation.track.space(outcome.end)
        if spaces.get(space) in ("free", "slipstream"):
            spaces[space] = "target"
    yield PaintedRoad(RoadMarks(spaces, corner_marks(chosen)), may_change)


def state_of(forecast: Forecast, outcome: Outcome) -> CornerState:
    """Say what one outcome of a pick costs: nothing, Heat, or a spin-out."""
    if outcome.spins_out:
        return "spin_out"
    return "heat" if forecast.heat or forecast.cards_heat or outcome.owed else "free"


def worst_state(forecast: Forecast) -> CornerState:
    """Say the same of a pick at its worst, as far as other cars do not change it."""
    return max((state_of(forecast, outcome) for outcome in forecast.outcomes), key=MILDEST_FIRST.index)


def corner_marks(outcomes: Iterable[Outcome]) -> dict[int, CornerMark]:
    """Mark the corners that a choice crosses in any of its outcomes, each with the most that it may cost."""
    marks: dict[int, CornerMark] = {}
    for outcome in outcomes:
        for bill in outcome.bills:
            state: CornerState = "free"
            if bill.paid < bill.owed:
                state = "spin_out"
            elif bill.owed:
                state = "heat"
            mark = CornerMark(state, bill.owed, _bill_text(outcome.speed, bill.limit, bill.owed))
            before = marks.get(bill.corner)
            if before is None or (MILDEST_FIRST.index(state), bill.owed) > _severity(before):
                marks[bill.corner] = mark
    return marks


def _severity(mark: CornerMark) -> tuple[int, int]:
    return MILDEST_FIRST.index(mark.state), mark.heat


def _bill_text(speed: int, limit: int, owed: int) -> str:
    if not owed:
        return ""
    more = owed - (speed - limit)
    return f"{speed} - {limit}{f' + {more}' if more else ''} = {owed} Heat"


def _milder(one: RoadState, other: RoadState) -> RoadState:
    return min(one, other, key=MILDEST_FIRST.index)


def _chosen_outcomes(observation: Observation, draft: Draft) -> tuple[Outcome, ...]:
    """Give what the half-made choice itself leads to, once enough is picked for it."""
    choice = observation.own.choice
    if isinstance(choice, CardsChoice) and len(draft.picked) < choice.count:
        return ()
    return draft_outcomes(observation, draft)


def _open_forecasts(observation: Observation, draft: Draft) -> Iterator[Forecast]:
    """Forecast every pick that is still open beside what is picked so far."""
    choice = observation.own.choice
    match choice:
        case GearChoice():
            cards = playable_cards(observation.own.hand)
            if len(cards) >= draft.gear:
                yield from _forecasts_of_cards(
                    in_gear(observation, choice, draft.gear), multisets(cards, draft.gear)
                )
        case CardsChoice(is_cluttered=False):
            picked = Counter(draft.cards(observation.own))
            ways = multisets(choice.pool, choice.count)
            yield from _forecasts_of_cards(observation, (way for way in ways if picked <= Counter(way)))
        case None | CardsChoice():
            return
        case _:
            for command in enumerate_commands(choice):
                yield from forecasts_of(observation, command)


def in_gear(observation: Observation, choice: GearChoice, gear: int) -> Observation:
    """Give what a seat would see in another gear, once it has paid for the shift."""
    own = observation.own_car
    shifted = msgspec.structs.replace(own, gear=gear, engine=max(0, own.engine - choice.heat_of(gear)))
    cars = tuple(shifted if car is own else car for car in observation.view.cars)
    return Observation(observation.setup, msgspec.structs.replace(observation.view, cars=cars))


def _forecasts_of_cards(observation: Observation, ways: Iterable[tuple[CardName, ...]]) -> Iterator[Forecast]:
    """Forecast ways to play cards; those that differ only in how plain cards make up their sum, once."""
    seen = set()
    for cards in ways:
        told = [card for card in cards if not _is_plain(card)]
        key = sum(CARD_SPEEDS[card] for card in cards if _is_plain(card)), tuple(sorted(told))
        if key not in seen:
            seen.add(key)
            yield from forecast_each_value(observation, cards)


def _is_plain(card: CardName) -> bool:
    return not (REACT_SYMBOLS[card] or CARD_FLIPS[card] or card in VALUE_CHOICES)


def forecasts_of(observation: Observation, command: c.Command) -> tuple[Forecast, ...]:
    """Forecast an answer to the open choice; nothing for one that moves no car."""
    choice = observation.own.choice
    match command:
        case c.PlayCards():
            return forecast_each_value(observation, command.cards)
        case c.ChooseValue():
            return (forecast_values(observation, command.values),)
        case c.DropUnpaid():
            return (forecast_unpaid(observation, command.cards),)
        case c.Slipstream():
            return (forecast_slipstream(observation, command.spaces),)
        case c.EndReact():
            return (forecast_end_of_react(observation),)
        case c.UseSymbol() if isinstance(choice, ReactChoice):
            if command.number < len(choice.symbols):
                return (forecast_symbol(observation, command.number, command.amount),)
            use = next(use for use in choice.direct if use.card == command.cards[0])
            return (forecast_direct(observation, use, command.amount),)
        case _:
            return ()
