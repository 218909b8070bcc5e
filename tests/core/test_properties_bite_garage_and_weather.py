"""Each property can fail in races with garage, weather and events: what is broken there is told by name.

See `tests.core.test_properties_bite`, which does the same for the base game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from heat_core.cards import STARTING_CARDS
from heat_core.decisions import DiscardChoice, PickChoice, SwapChoice, UnpaidChoice, ValueChoice, choice_of
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race import state_dump
from heat_core.race.cars import Seat
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.rng import Stream, shuffled
from heat_core.rules import corners, draft, effects, legends, preparing, sponsors, start, turn, uses
from heat_core.rules.corner_bills import Settlement
from heat_core.rules.offers import SymbolUse
from heat_core.rules.recorder import Recorder
from heat_core.view import endings
from heat_core.view import secrecy as view
from heat_core.view.race_view import RaceView
from tests.core.driver import Property
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
from tests.core.random_setups import random_module_setup
from tests.core.test_properties_bite import (
    Breaks,
    Verify,
    break_applier,
    break_choice,
    break_copy,
    break_function,
    break_verify,
    what_breaks,
)

pytestmark = pytest.mark.patches

RACES = 60


@cache
def setups() -> tuple[RaceSetup, ...]:
    """Make the races before anything is broken: making them plays too."""
    return tuple(random_module_setup(Stream(f"bite/modules/{number}")) for number in range(RACES))


def setups_with(event: str) -> tuple[RaceSetup, ...]:
    """Give those of the races that start from the grid, in two laps and with an event card."""
    grid = [setup for setup in setups() if setup.position is None]
    modules = [replace(setup.modules, sponsorships=True, event=event) for setup in grid]
    return tuple(replace(setup, laps=2, modules=m) for setup, m in zip(grid, modules, strict=True))


def put(owner: object, name: str, value: object) -> Breaks:
    """Let something in a module of the engine be another."""
    return lambda patch: patch.setattr(owner, name, value)


def put_item(table: dict[Any, Any], key: object, value: object) -> Breaks:
    return lambda patch: patch.setitem(table, key, value)


def alter(kind: type[Any], change: Callable[[Any, Race], e.Event | None]) -> Breaks:
    """Record other events of a kind; None: not at all."""
    record = Recorder.record

    def recording(recorder: Recorder, event: e.Event) -> None:
        changed = change(event, recorder.race) if isinstance(event, kind) else event
        if changed is not None:
            record(recorder, changed)

    return put(Recorder, "record", recording)


def leave_out(kind: type[Any]) -> Breaks:
    return alter(kind, lambda event, race: None)


def tell_all(kind: type[Any]) -> Breaks:
    """Mask a kind of event for nobody."""
    return break_function(
        view, "view_event", lambda masked, event, seat: event if isinstance(event, kind) else masked
    )


# Cards.


def gain_twice(race: Race, event: e.SponsorshipGained) -> None:
    race.seat(event.seat).hand.append(event.card or "")


def keep_what_is_spent(race: Race, event: e.SponsorshipsSpent) -> None:
    race.seat(event.seat).discard_pile.extend(event.cards)


def lose_no_heat(race: Race, event: e.HeatLost) -> None:
    race.seat(event.seat).engine += 1


def leave_what_is_salvaged(race: Race, event: e.CardsSalvaged) -> None:
    race.seat(event.seat).discard_pile.extend(event.cards)


def deal_from_all(race: Race, event: e.UpgradesDealt) -> None:
    race.upgrade_deck.extend(event.cards * 2)


# Commands.


def accept_any_value(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    if isinstance(command, c.ChooseValue):
        choice = choice_of(race, seat)
        if isinstance(choice, ValueChoice) and len(choice.cards) == len(command.values):
            command = c.ChooseValue(tuple(speeds[0] for speeds in choice.speeds))
    return verify(race, seat, command)


def accept_any_speed(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    if isinstance(command, c.UseSymbol) and race.turn and command.number == len(race.turn.symbols):
        for use in uses.direct_uses(race, race.seat(seat)):
            if command.cards == (use.card,):
                command = replace(command, amount=use.speeds[0])
    return verify(race, seat, command)


def leave_phase_5_at_once(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    if isinstance(command, c.EndReact) and seat in race.open and race.open[seat].kind == "react":
        return race.open[seat].id
    return verify(race, seat, command)


def swap_for_nothing(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    if isinstance(command, c.SwapUpgrade) and command.give is None:
        command = c.SwapUpgrade(None, None)
    return verify(race, seat, command)


def refresh_anything(verify: Verify, race: Race, seat: int, command: c.Command) -> int | None:
    if isinstance(command, c.Discard):
        command = replace(command, refresh=())
    return verify(race, seat, command)


# What is kept and told.


def share(name: str) -> Breaks:
    def shared(copy: Race, race: Race) -> Race:
        setattr(copy, name, getattr(race, name))
        return copy

    return break_copy(Race, shared)


def forget_the_roads(patch: pytest.MonkeyPatch) -> None:
    made = state_dump._race_of

    def forgetful(form: Any) -> Race:
        race = made(form)
        race.roads = ()
        return race

    patch.setattr(state_dump, "_race_of", forgetful)


def hands_of_7(race: Race, _: RaceSetup) -> Race:
    race.hand_size = 7
    return race


def draw_by_a_count_of_its_own(patch: pytest.MonkeyPatch) -> None:
    counts = count()
    patch.setattr(sponsors, "shuffled", lambda key, _, items: shuffled(key, next(counts), items))


def count_a_draw_unseen(_: None, recorder: Recorder, *arguments: Any) -> None:
    recorder.race.draws += 1


def show_the_box(seen: RaceView, race: Race, *_: object) -> RaceView:
    return replace(seen, offered=tuple(race.sponsorship_deck))


def ignore_roads(*arguments: Any, roads: object = (), **named: Any) -> Settlement:
    return corners.settle_corners(*arguments, **named)


# Rules.


def pay_what_is_not_there(race: Race, seat: Seat, symbol: e.Symbol) -> SymbolUse:
    return SymbolUse(symbol, False, symbol.number, symbol.number, symbol.number, "")


def cool_anywhere(race: Race, seat: Seat, symbol: e.Symbol) -> SymbolUse:
    return uses._up_to(symbol, seat.hand.count("heat"), "You have no Heat in your hand.")


def drive_faster(reason: e.MoveReason) -> Callable[..., None]:
    def effect(recorder: Recorder, seat: Seat, symbol: e.Symbol, amount: int) -> None:
        effects.gain_speed(recorder, seat, reason, (e.Part(reason, amount),))

    return effect


def scrap_one(recorder: Recorder, seat: Seat, symbol: e.Symbol, amount: int) -> None:
    effects._scrap(recorder, seat, symbol, 1)


def press_everywhere(track: Any, event: object, *, everywhere: bool) -> frozenset[int]:
    return frozenset(range(len(track.corners)))


def ask_another_to_swap(event: e.DecisionsOpened, race: Race) -> e.Event:
    others = [seat for seat in race.racing_seats() if (seat,) != event.seats]
    return replace(event, seats=(others[0],)) if event.kind == "swap" and others else event


def adrenaline_in_the_rain(event: e.TurnOrderFixed, race: Race) -> e.Event:
    return replace(event, adrenaline=event.order[-1:]) if not event.adrenaline else event


def forget_lines(event: e.CarMoved, race: Race) -> e.Event:
    return replace(event, lines=()) if event.reason == "unpaid" else event


def race_on_after_a_spin_out(event: e.CarOut, race: Race) -> e.Event | None:
    return None if event.reason == "spun_out" else event


def slowest_values(choice: ValueChoice, *_: object) -> ValueChoice:
    return replace(choice, speeds=tuple(speeds[:1] for speeds in choice.speeds))


def no_discards_by_event(choice: DiscardChoice, *_: object) -> DiscardChoice:
    pool = tuple(card for card in choice.pool if card not in ("heat", "stress"))
    return replace(choice, pool=pool, most=min(choice.most, len(pool)))


def discards_at_will(choice: DiscardChoice, *_: object) -> DiscardChoice:
    return replace(choice, most=len(choice.pool))


def field(kind: e.DecisionKind, **changes: object) -> Breaks:
    """Let a field of a kind of choice be always the same."""
    return break_choice(kind, lambda choice, *_: replace(choice, **changes))


MUTANTS: tuple[tuple[type[Property], str, Breaks], ...] = (
    (SomebodyCanGoOn, "no upgrade to pick", break_choice("pick", lambda *_: PickChoice(()))),
    (SomebodyCanGoOn, "no card to drop", break_choice("unpaid", lambda *_: UnpaidChoice(()))),
    (ExactlyTheChoice, "any value", break_verify(accept_any_value)),
    (ExactlyTheChoice, "a direct card at any speed", break_verify(accept_any_speed)),
    (ExactlyTheChoice, "nothing mandatory", break_verify(leave_phase_5_at_once)),
    (ExactlyTheChoice, "a swap for nothing", break_verify(swap_for_nothing)),
    (ExactlyTheChoice, "any card refreshed", break_verify(refresh_anything)),
    (InvariantsHold, "a Sponsorship twice", break_applier(e.SponsorshipGained, gain_twice)),
    (InvariantsHold, "Sponsorships that stay", break_applier(e.SponsorshipsSpent, keep_what_is_spent)),
    (InvariantsHold, "salvaged cards twice", break_applier(e.CardsSalvaged, leave_what_is_salvaged)),
    (InvariantsHold, "an upgrade three times", break_applier(e.UpgradesDealt, deal_from_all)),
    (InvariantsHold, "no weather", break_function(preparing, "stress_and_heat", lambda *_: (3, 6))),
    (InvariantsHold, "Heat that is not there", put_item(uses._USES, "heat", pay_what_is_not_there)),
    (EventsGiveTheState, "no event", break_function(sponsors, "gain_sponsorship", count_a_draw_unseen)),
    (TheSameAgain, "a global count", draw_by_a_count_of_its_own),
    (CopiesAreIndependent, "shared offers", share("offered")),
    (CopiesAreIndependent, "a shared garage", share("upgrade_deck")),
    (CopiesAreIndependent, "a shared box", share("sponsorship_deck")),
    (BytesComeBack, "roads forgotten", forget_the_roads),
    (NothingHiddenShows, "a Sponsorship told", tell_all(e.SponsorshipGained)),
    (NothingHiddenShows, "the box shown", break_function(view, "view_race", show_the_box)),
    (NothingHiddenShows, "carried ones told", put(view, "public_setup", lambda s: replace(s, seed=None))),
    (MasksHideNoMore, "a Sponsorship told", tell_all(e.SponsorshipGained)),
    (MasksHideNoMore, "a salvaged pile told", tell_all(e.CardsSalvaged)),
    (ForecastsComeTrue, "no symbols counted", put(endings, "_numbers", lambda *_: [])),
    (ForecastsComeTrue, "no road tokens", put(endings, "settle_corners", ignore_roads)),
    (EventsAreByTheRules, "no road tokens", put(corners, "corner_token", lambda *_: None)),
    (EventsAreByTheRules, "Legends without them", put(legends, "limit_at", lambda track, _, n: 2)),
    (EventsAreByTheRules, "pressed by 1", put(sponsors, "PRESSING", 1)),
    (EventsAreByTheRules, "press everywhere", put(sponsors, "press_corners", press_everywhere)),
    (EventsAreByTheRules, "no press", put(sponsors, "press_reason", lambda *_, **__: None)),
    (EventsAreByTheRules, "picks from the front", put_item(draft._FROM_BACK, "three", (False,) * 3)),
    (EventsAreByTheRules, "starting cards", put(preparing, "cards_of_garage", lambda *_: [*STARTING_CARDS])),
    (EventsAreByTheRules, "a draft with speed", put_item(effects._EFFECTS, "draft", drive_faster("draft"))),
    (EventsAreByTheRules, "one card scrapped", put_item(effects._EFFECTS, "scrap", scrap_one)),
    (EventsAreByTheRules, "no free boost", put(effects, "boost_heat", lambda *_: 1)),
    (EventsAreByTheRules, "lines forgotten", alter(e.CarMoved, forget_lines)),
    (EventsAreByTheRules, "Sponsorships that stay", leave_out(e.SponsorshipsSpent)),
    (ChoicesAreByTheRules, "no refresh", field("discard", refreshable=())),
    (ChoicesAreByTheRules, "no direct play", field("react", direct=())),
    (ChoicesAreByTheRules, "nothing mandatory", field("react", must="")),
    (ChoicesAreByTheRules, "no swap", break_choice("swap", lambda *_: SwapChoice((), ()))),
    (ChoicesAreByTheRules, "slowest values", break_choice("value", slowest_values)),
    (ChoicesAreByTheRules, "unpaid cards work", put(uses, "unpaid_heat", lambda turn: {})),
    (ChoicesAreByTheRules, "cooling anywhere", put_item(uses._USES, "cooldown", cool_anywhere)),
    (
        ChoicesAreByTheRules,
        "all slipstream symbols or none",
        break_function(effects, "slipstream_changes", lambda sums, *_: sums[-1:]),
    ),
    (ChoicesAreByTheRules, "slipstreams in fog", put(turn, "effect_here", lambda *_: None)),
    (OpeningsArePublic, "another's swap", alter(e.DecisionsOpened, ask_another_to_swap)),
    (OpeningsArePublic, "nothing to drop", put(effects, "ways_to_drop", lambda *_: ())),
)

EVENT_MUTANTS: tuple[tuple[str, type[Property], str, Breaks], ...] = (
    ("pressure-cooker", InvariantsHold, "Heat not lost", break_applier(e.HeatLost, lose_no_heat)),
    ("grandstand", EventsAreByTheRules, "no place in the stands", put(sponsors, "_GRANDSTAND_PLACES", 0)),
    ("speed-record", EventsAreByTheRules, "a slow record", put(sponsors, "_RECORD_SPEED", 8)),
    ("live-television", EventsAreByTheRules, "one car passed", put(sponsors, "_CARS_ON_TELEVISION", 1)),
    (
        "sudden-rain",
        EventsAreByTheRules,
        "adrenaline in the rain",
        alter(e.TurnOrderFixed, adrenaline_in_the_rain),
    ),
    ("pressure-cooker", EventsAreByTheRules, "laps forgotten", leave_out(e.LapCompleted)),
    (
        "sponsor-withdraws",
        EventsAreByTheRules,
        "a spin-out like others",
        alter(e.CarOut, race_on_after_a_spin_out),
    ),
    ("safety-rules", EventsAreByTheRules, "hands of 7", break_function(start, "new_race", hands_of_7)),
    ("hold-tight", ChoicesAreByTheRules, "discards at will", break_choice("discard", discards_at_will)),
    ("chicanes", ChoicesAreByTheRules, "no discards by event", break_choice("discard", no_discards_by_event)),
)


@pytest.mark.parametrize(
    ("kind", "breaks"), [pytest.param(k, b, id=f"{k.__name__}: {w}") for k, w, b in MUTANTS]
)
def test_a_broken_module_is_told_by_name(
    kind: type[Property], breaks: Breaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    setups()
    breaks(monkeypatch)
    assert what_breaks((kind,), setups()) == {kind.name}


@pytest.mark.parametrize(
    ("event", "kind", "breaks"),
    [pytest.param(event, k, b, id=f"{k.__name__}: {w}") for event, k, w, b in EVENT_MUTANTS],
)
def test_a_broken_event_card_is_told_by_name(
    event: str, kind: type[Property], breaks: Breaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    races = setups_with(event)
    breaks(monkeypatch)
    assert what_breaks((kind,), races) == {kind.name}
