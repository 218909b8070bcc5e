"""What one seat, or a spectator, may see.

docs/rules.md: What is hidden. This file is the only place that decides it.

A view is a type of its own, built by naming what goes in, so that a race can never be sent by mistake. An
event is masked by replacing hidden fields with None; its counts stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import msgspec

from heat_core.cards import HAND_ORDER
from heat_core.decisions import Choice, choice_of, may_give_up
from heat_core.race import events as e
from heat_core.race.cars import Legend, Seat
from heat_core.race.commands import SECRET_COMMANDS
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race, Turn
from heat_core.rules.corners import corner_limits
from heat_core.rules.order import ranking
from heat_core.view.race_view import CarView, DecisionView, OwnView, RaceView, TurnView


def public_setup(setup: RaceSetup) -> RaceSetup:
    """Give the set-up without its seed, a position's cards, and Sponsorships that lie in decks."""
    carried = msgspec.structs.replace(setup.carried, sponsorships=())
    return msgspec.structs.replace(setup, seed=None, position=None, carried=carried)


def view_race(race: Race, seat: int | None) -> RaceView:
    """Build what a seat, or with None a spectator, may see of a race."""
    public = _public_view(race)
    return public if seat is None else with_own(public, own_of(race, seat))


def _public_view(race: Race) -> RaceView:
    spaces = race.track.spaces
    turn = race.turn
    return RaceView(
        event_number=race.event_number,
        round=race.round,
        phase=race.phase,
        status=race.status,
        is_last_round=race.is_last_round,
        cars=tuple([car_view(car, spaces) for car in race.cars]),
        ranking=ranking(race),
        turn_order=race.turn_order,
        adrenaline=race.adrenaline,
        turn=turn_view(turn) if turn else None,
        legend_card=race.legend_card,
        decisions=tuple(
            [
                DecisionView(number, decision.kind, decision.chosen is not None)
                for number, decision in race.open.items()
            ]
        ),
        end=race.end,
        standings=race.standings,
        own=None,
        offered=tuple(race.offered),
        picking=race.picking,
        weather=race.weather,
        roads=race.roads,
        sponsorships_left=len(race.sponsorship_deck),
        corner_limits=corner_limits(race.track, race.roads),
    )


def turn_view(turn: Turn) -> TurnView:
    """Give what all may know of a turn."""
    return TurnView(
        car=turn.car,
        start=turn.start,
        speed=turn.speed,
        parts=turn.parts,
        lines=turn.lines,
        symbols=turn.symbols,
        used=tuple([bool(turn.used >> number & 1) for number in range(len(turn.symbols))]),
        flips=turn.flips,
        start_spot=turn.start_spot,
    )


def car_view(car: Seat | Legend, spaces: int) -> CarView:
    """Give what all may know of a car, on a track of so many spaces."""
    lap, spaces_behind = divmod(car.progress - 1, spaces)
    space = spaces_behind + 1
    if type(car) is Legend:
        return CarView(
            number=car.number,
            is_legend=True,
            status=car.status,
            progress=car.progress,
            spot=car.spot,
            lap=lap,
            space=space,
            speed=car.speed,
        )
    return CarView(
        number=car.number,
        is_legend=False,
        status=car.status,
        progress=car.progress,
        spot=car.spot,
        lap=lap,
        space=space,
        gear=car.gear,
        engine=car.engine,
        hand_size=len(car.hand),
        draw_size=len(car.draw_pile),
        discard_pile=tuple(car.discard_pile),
        played=tuple(car.played),
        is_cluttered=car.is_cluttered,
        upgrades=car.upgrades,
    )


def own_view(race: Race, number: int, choice: Choice | None) -> OwnView:
    """Give what a seat alone may know.

    Args:
        choice: That of its open decision, None where it has none.
    """
    seat = race.seat(number)
    decision = race.open.get(number)
    return OwnView(
        seat=number,
        hand=tuple(seat.hand),
        draw_pile=tuple(sorted(seat.draw_pile, key=HAND_ORDER.__getitem__)),
        decision=decision.id if decision else None,
        choice=choice,
        chosen=decision.chosen if decision else None,
        may_give_up=may_give_up(race, number),
        face_down=seat.face_down,
        is_asked=decision is not None and decision.chosen is None,
    )


def own_of(race: Race, seat: int) -> OwnView:
    """Give what a seat alone may know now."""
    return own_view(race, seat, choice_of(race, seat) if seat in race.open else None)


def with_own(public: RaceView, own: OwnView) -> RaceView:
    """Add to a spectator's view what a seat alone may know: all else is the same for everybody."""
    return msgspec.structs.replace(public, own=own)


def view_event(event: e.Event, seat: int | None) -> e.Event:
    """Mask an event for a seat, or with None for a spectator: the same event, hidden fields None."""
    mask = _MASKS.get(type(event))
    masked: e.Event = event if mask is None else mask(event, seat)
    return masked


def view_events(events: Iterable[e.Event], seat: int | None) -> tuple[e.Event, ...]:
    """Mask events as `view_event` does; most hide nothing, so no call is spent on them."""
    return tuple(
        [event if (mask := _MASKS.get(type(event))) is None else mask(event, seat) for event in events]
    )


def seats_told_more(events: Iterable[e.Event]) -> frozenset[int]:
    """Name the seats that may see more of some of these events than a spectator does."""
    own: list[Any] = [event for event in events if type(event) in _MASKS_FOR_OTHERS]
    return frozenset([event.seat for event in own])


def _hidden_from_all(field: str) -> _Mask:
    return lambda event, seat: msgspec.structs.replace(event, **{field: None})


def _hidden_from_others(field: str) -> _Mask:
    return lambda event, seat: (
        event if event.seat == seat else msgspec.structs.replace(event, **{field: None})
    )


def _without_others_secret_choice(event: Any, seat: int | None) -> Any:
    if event.seat == seat or not isinstance(event.command, SECRET_COMMANDS):
        return event
    return msgspec.structs.replace(event, command=None)


_Mask: TypeAlias = Callable[[Any, int | None], Any]

_MASKS_FOR_OTHERS: Final[dict[type, _Mask]] = {
    e.SponsorshipGained: _hidden_from_others("card"),
    e.CardsDrawn: _hidden_from_others("cards"),
    e.ChoiceMade: _without_others_secret_choice,
}
"""What hides something of an event from all but its own seat, by its type."""

_MASKS: Final[dict[type, _Mask]] = {
    e.PilesMade: _hidden_from_all("draw_pile"),
    e.LegendCardsShuffled: _hidden_from_all("order"),
    e.PileReshuffled: _hidden_from_all("order"),
    e.CardsSalvaged: _hidden_from_all("order"),
    **_MASKS_FOR_OTHERS,
}
"""What hides something of an event, by its type: a table, for each event is looked at once for each seat."""
