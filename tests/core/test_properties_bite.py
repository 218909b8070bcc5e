"""Each property of random play can fail: what is broken in the engine on purpose is told by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from heat_core import engine
from heat_core.cards import HEAT
from heat_core.decisions import DiscardChoice, GearChoice, verify
from heat_core.decisions.kinds import MAKERS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race import state_dump
from heat_core.race.apply import APPLIERS
from heat_core.race.cars import Seat
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import OFF_TRACK, Race
from heat_core.refusal import Refused
from heat_core.rng import Stream, shuffled
from heat_core.rules import corners, phases, piles
from heat_core.rules.recorder import Recorder
from heat_core.view import forecast, odds, traffic
from heat_core.view import secrecy as view
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView, OwnView
from heat_core.view.traffic import Traffic
from tests.core.driver import CheckedPlay, Property, PropertyBroken
from tests.core.properties import EVERY_PROPERTY
from tests.core.properties_engine import (
    BytesComeBack,
    CopiesAreIndependent,
    EventsGiveTheState,
    ExactlyTheChoice,
    InvariantsHold,
    SomebodyCanGoOn,
    TheSameAgain,
)
from tests.core.properties_forecasts import ForecastsComeTrue
from tests.core.properties_ruled import ChoicesAreByTheRules, EventsAreByTheRules, OpeningsArePublic
from tests.core.properties_seen import MasksHideNoMore, NothingHiddenShows
from tests.core.random_setups import random_setup
from tests.core.test_random_play import RACES_ELSEWHERE, digests_elsewhere, races_digests

pytestmark = pytest.mark.patches

RACES = 24
Verify = Callable[[Race, int, c.Command], int | None]
Breaks = Callable[[pytest.MonkeyPatch], None]


@cache
def setups() -> tuple[RaceSetup, ...]:
    """Make the races before anything is broken: making them plays too."""
    return tuple(random_setup(Stream(f"bite/{number}")) for number in range(RACES))


def what_breaks(properties: tuple[type[Property], ...], races: Sequence[RaceSetup]) -> frozenset[str]:
    """Play until something is broken: the names told, none if nothing is."""
    broken = first_broken(properties, races)
    return broken.names if broken else frozenset()


def what_is_said_of(races: Sequence[RaceSetup]) -> str:
    """Play until an invariant is broken: what is said of it, nothing if none is."""
    return str(first_broken((InvariantsHold,), races) or "")


def first_broken(properties: tuple[type[Property], ...], races: Sequence[RaceSetup]) -> PropertyBroken | None:
    for setup in races:
        try:
            play = CheckedPlay(setup, Stream(setup.seed or ""), properties)
            while play.race.phase is not Phase.ENDED and len(play.commands) < 300:
                play.step()
        except PropertyBroken as broken:
            return broken
    return None


def also(wraps: Callable[..., Any], then: Callable[..., Any], *arguments: Any) -> Any:
    """Do what a function of the engine does, and then something else with its result and arguments."""
    return then(wraps(*arguments), *arguments)


def break_function(owner: object, name: str, then: Callable[..., Any]) -> Breaks:
    """Let a function do what it does, and then `then(result, *arguments)`, whose result is its own."""
    return lambda patch: patch.setattr(owner, name, partial(also, getattr(owner, name), then))


def break_applier(kind: type[e.Event], then: Callable[[Race, Any], None]) -> Breaks:
    """Let the applier of a kind of event do something more."""
    wrapped = partial(also, APPLIERS[kind], lambda _, race, event: then(race, event))
    return lambda patch: patch.setitem(APPLIERS, kind, wrapped)


def break_choice(kind: e.DecisionKind, then: Callable[..., Any]) -> Breaks:
    """Let choices of a kind be others."""
    wrapped = partial(also, MAKERS[kind], then)
    return lambda patch: patch.setitem(MAKERS, kind, wrapped)


def lose_a_card(race: Race, event: e.CardsDrawn) -> None:
    race.seat(event.seat).hand.pop()


def take_the_race_line(race: Race, event: e.CarMoved) -> None:
    race.cars[event.car].spot = 0


def leave_the_spot(race: Race, event: e.CarFinished) -> None:
    race.places[event.car] = OFF_TRACK


def owe_again(race: Race, event: e.ChoiceMade) -> None:
    race.owing.append(event.seat)


def pay_one_more(race: Race, event: e.HeatPaid) -> None:
    seat = race.seat(event.seat)
    seat.engine -= 1
    seat.discard_pile.append(HEAT)


def share_the_discard_pile(copy: Seat, seat: Seat) -> Seat:
    copy.discard_pile = seat.discard_pile
    return copy


def share_who_left(copy: Race, race: Race) -> Race:
    copy.left = race.left
    return copy


def break_copy(owner: type[Race] | type[Seat], then: Callable[..., Any]) -> Breaks:
    real: Callable[..., Any] = owner.copy
    return lambda patch: patch.setattr(owner, "copy", lambda self: then(real(self), self))


def break_verify(decides: Callable[..., int | None]) -> Breaks:
    """Replace the check of commands by one that is given the real one first."""
    return lambda patch: patch.setattr(engine, "verify", partial(decides, verify))


def accept_one_card_too_many(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    if isinstance(command, c.PlayCards) and len(command.cards) > 1:
        command = c.PlayCards(command.cards[1:])
    return verify(race, seat, command)


def refuse_a_boost(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    return verify(race, seat, c.UseSymbol(99) if isinstance(command, c.UseSymbol) else command)


def leave_a_trace(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    try:
        return verify(race, seat, command)
    except Refused:
        race.next_decision += 1
        raise


def forget_the_draws(patch: pytest.MonkeyPatch) -> None:
    made = state_dump._race_of

    def forgetful(form: Any) -> Race:
        race = made(form)
        race.draws = 0
        return race

    patch.setattr(state_dump, "_race_of", forgetful)


def draw_by_a_count_of_its_own(patch: pytest.MonkeyPatch) -> None:
    counts = count()
    patch.setattr(piles, "shuffled", lambda key, _, items: shuffled(key, next(counts), items))


def count_a_draw_unseen(_: None, recorder: Any, *arguments: Any) -> None:
    recorder.race.draws += 1


def show_the_order(own: OwnView, race: Race, number: int, *_: object) -> OwnView:
    return replace(own, draw_pile=tuple(race.seat(number).draw_pile))


def show_too_early(seen: CarView, car: Seat, *_: object) -> CarView:
    return seen if seen.is_legend else replace(seen, played=(*seen.played, *car.face_down))


def turn_all_up(race: Race, event: e.TurnOrderFixed) -> None:
    for number in race.racing_seats():
        race.seat(number).played = list(race.seat(number).face_down)


def tell_secret_commands(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "SECRET_COMMANDS", ())


def ask_only_who_can_discard(patch: pytest.MonkeyPatch) -> None:
    record = Recorder.record

    def skipping(recorder: Recorder, event: e.Event) -> None:
        if isinstance(event, e.DecisionsOpened) and event.kind == "discard":
            hands = {seat: set(recorder.race.seat(seat).hand) for seat in event.seats}
            able = tuple(seat for seat in event.seats if hands[seat] - {"heat", "stress"})
            event = replace(event, seats=able or event.seats)
        record(recorder, event)

    patch.setattr(Recorder, "record", skipping)


def one_further(end: tuple[int, int], *_: object) -> tuple[int, int]:
    return end[0] + 1, end[1]


def stand_still(
    _: set[int], observation: Observation, traffic: Traffic, car: CarView, *__: object
) -> set[int]:
    return {car.progress}


def forget_who_comes(found: Traffic, *_: object) -> Traffic:
    found.coming.clear()
    return found


def hide_the_last_card(choice: DiscardChoice, *_: object) -> DiscardChoice:
    return replace(choice, pool=choice.pool[:-1], most=len(choice.pool[:-1]))


MUTANTS: tuple[tuple[type[Property], str, Breaks], ...] = (
    (SomebodyCanGoOn, "no gear to choose", break_choice("gear", lambda *_: GearChoice(()))),
    (SomebodyCanGoOn, "one car too few", break_function(phases, "standings", lambda all, race: all[:-1])),
    (ExactlyTheChoice, "one card too many", break_verify(accept_one_card_too_many)),
    (ExactlyTheChoice, "no symbol accepted", break_verify(refuse_a_boost)),
    (ExactlyTheChoice, "a refusal with a trace", break_verify(leave_a_trace)),
    (EventsGiveTheState, "a change without event", break_function(phases, "draw", count_a_draw_unseen)),
    (TheSameAgain, "a global count", draw_by_a_count_of_its_own),
    (CopiesAreIndependent, "a shared pile", break_copy(Seat, share_the_discard_pile)),
    (CopiesAreIndependent, "a shared list", break_copy(Race, share_who_left)),
    (BytesComeBack, "draws forgotten", forget_the_draws),
    (NothingHiddenShows, "the order shown", break_function(view, "own_view", show_the_order)),
    (NothingHiddenShows, "secret commands told", tell_secret_commands),
    (NothingHiddenShows, "a decision by the hand", ask_only_who_can_discard),
    (NothingHiddenShows, "cards before their turn", break_function(view, "car_view", show_too_early)),
    (MasksHideNoMore, "secret commands told", tell_secret_commands),
    (ForecastsComeTrue, "one space further", break_function(traffic, "end_of_move", one_further)),
    (ForecastsComeTrue, "who drives before stands", break_function(traffic, "cars_before", lambda *_: [])),
    (ForecastsComeTrue, "Legends stand", break_function(traffic, "_reach_of_legend", stand_still)),
    (
        ForecastsComeTrue,
        "who drives before is nowhere",
        break_function(forecast, "traffic_before", forget_who_comes),
    ),
    (ForecastsComeTrue, "no odds", break_function(odds, "flip_odds", lambda *_: {0: 1.0})),
    (EventsAreByTheRules, "too much Stress", break_function(corners, "stress_of_spin_out", lambda *_: 2)),
    (EventsAreByTheRules, "cards turned up by all at once", break_applier(e.TurnOrderFixed, turn_all_up)),
    (ChoicesAreByTheRules, "a card not offered", break_choice("discard", hide_the_last_card)),
    (OpeningsArePublic, "a decision by the hand", ask_only_who_can_discard),
)


INVARIANT_MUTANTS: tuple[tuple[str, Breaks], ...] = (
    ("has too many cards (none) or too few", break_applier(e.CardsDrawn, lose_a_card)),
    ("takes up the place", break_applier(e.CarMoved, take_the_race_line)),
    ("takes up the place 0, not", break_applier(e.CarFinished, leave_the_spot)),
    ("owe a choice", break_applier(e.ChoiceMade, owe_again)),
    ("has -1 Heat in its engine", break_applier(e.HeatPaid, pay_one_more)),
)
"""What is said, and what is broken."""


def test_every_property_has_a_mutant() -> None:
    assert {kind for kind, _, _ in MUTANTS} | {InvariantsHold} == set(EVERY_PROPERTY)
    assert len({kind.name for kind in EVERY_PROPERTY}) == len(EVERY_PROPERTY)


@pytest.mark.parametrize(
    ("kind", "breaks"), [pytest.param(k, b, id=f"{k.__name__}: {w}") for k, w, b in MUTANTS]
)
def test_a_broken_engine_is_told_by_name(
    kind: type[Property], breaks: Breaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    setups()
    breaks(monkeypatch)
    assert what_breaks((kind,), setups()) == {kind.name}


@pytest.mark.parametrize(
    ("said", "breaks"), [pytest.param(said, breaks, id=said) for said, breaks in INVARIANT_MUTANTS]
)
def test_a_broken_invariant_is_told_in_words(
    said: str, breaks: Breaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    setups()
    breaks(monkeypatch)
    assert said in what_is_said_of(setups())


def test_a_command_that_the_engine_cannot_take_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    setups()
    break_applier(e.SpeedSet, lambda race, event: race.cars.clear())(monkeypatch)
    (told,) = what_breaks((), setups())
    assert "is taken" in told


SHUFFLE_BY_HASH = """
from heat_core.rules import piles, start
def by_hash(key, counter, items):
    return tuple(sorted(items, key=lambda item: hash((str(item), counter))))
piles.shuffled = start.shuffled = by_hash
"""


def test_an_engine_that_shuffles_by_hashes_differs_elsewhere() -> None:
    first, second = (digests_elsewhere(seed, SHUFFLE_BY_HASH) for seed in ("0", "4242"))
    assert len(first) == len(second) == RACES_ELSEWHERE
    assert first != second
    assert races_digests(RACES_ELSEWHERE) not in (first, second)
