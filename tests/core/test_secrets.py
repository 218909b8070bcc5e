"""What a seat sees never depends on what is hidden: proved by swapping hidden cards."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import msgspec
import pytest

from heat_core import commands as c
from heat_core import events as e
from heat_core.choices import choice_of, enumerate_commands
from heat_core.folding import apply
from heat_core.positions import make_position
from heat_core.presets import PRESETS, PresetName
from heat_core.race import Phase, Race, new_race
from heat_core.rng import Stream
from heat_core.setup import RaceSetup
from heat_core.view import RaceView, public_setup, view_event, view_race
from tests.core.support import RandomPlay, setup_of, track_facts
from tests.core.umpire_knowledge import Knowledge


def seen(race: Race, seat: int | None) -> bytes:
    return msgspec.json.encode(view_race(race, seat))


def swapped(race: Race, onlooker: int | None, stream: Stream) -> Race:
    """Copy a race with everything hidden from an onlooker changed, and nothing else."""
    other = race.copy()
    other.legend_deck = stream.sample(other.legend_deck, len(other.legend_deck))
    for number in other.seats():
        seat = other.seat(number)
        if number == onlooker:
            seat.draw_pile = stream.sample(seat.draw_pile, len(seat.draw_pile))
            continue
        # A hand of the same size out of hand and draw pile: nobody else can tell which it is.
        cards = stream.sample([*seat.hand, *seat.draw_pile], len(seat.hand) + len(seat.draw_pile))
        seat.hand, seat.draw_pile = cards[: len(seat.hand)], cards[len(seat.hand) :]
        decision = other.open.get(number)
        if decision is not None and decision.chosen is not None:
            decision.chosen = c.PlayCards(()) if decision.kind == "cards" else c.ShiftGear(1)
    return other


def opens_now(
    setup: RaceSetup, view: RaceView, event: e.Event
) -> tuple[e.DecisionKind, tuple[int, ...]] | None:
    """Say from a spectator's view alone which decision must open right after an event that begins a phase."""
    racing = tuple(car.number for car in view.cars if car.status == "racing" and not car.is_legend)
    awake = tuple(number for number in racing if not view.cars[number].is_cluttered)
    active: tuple[int, ...] = () if view.turn is None else (view.turn.car,)
    match event:
        case e.RoundStarted():
            return ("gear", racing) if racing else None
        case e.PhaseEntered(2):
            return ("cards", racing) if racing else None
        case e.PhaseEntered(5):
            return ("react", active)
        case e.PhaseEntered(6):
            known = Knowledge(setup)
            for car, seen in zip(known.cars, view.cars, strict=True):
                car.place, car.spot, car.status = seen.progress, seen.spot, seen.status
            return ("slipstream", active) if known.can_slipstream(active[0]) else None
        case e.PhaseEntered(8):
            discarding = active or awake
            return ("discard", discarding) if discarding else None
        case _:
            return None


@pytest.mark.spec("TURN-20")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_which_decision_opens_follows_from_what_a_spectator_sees(preset: PresetName) -> None:
    """Phase by phase, whatever the hands; and a reaction is asked for again after each symbol, to its end.

    So a client may answer a decision of one answer for its seat: that it was asked tells nobody anything.
    """
    kinds: Counter[str] = Counter()
    answers: Counter[int] = Counter()
    for board in ("usa", "spain", "italy"):
        setup = setup_of(board, seats=4, legends=1, laps=1, seed=board, rules=PRESETS[preset])
        game = RandomPlay(setup, board)
        while game.race.phase is not Phase.ENDED:
            answers.update(
                len(list(enumerate_commands(choice_of(game.race, seat)))) for seat in game.race.open
            )
            game.step()
        race, reactions, ended = new_race(setup), 0, True
        for event, after in pairwise(game.events):
            apply(race, event)
            opened = (after.kind, after.seats) if isinstance(after, e.DecisionsOpened) else None
            if isinstance(event, e.RoundStarted | e.PhaseEntered):
                assert opened == opens_now(setup, view_race(race, None), event)
                assert ended, "a reaction was left before its seat had ended it"
            elif opened is not None:
                assert opened[0] == "react"
                reactions -= 1
            reactions += isinstance(event, e.SymbolUsed)
            if isinstance(event, e.DecisionsOpened) and event.kind == "react":
                ended = False
            if isinstance(event, e.ChoiceMade) and isinstance(event.command, c.EndReact):
                ended = True
                assert reactions == 0, "asked again after each symbol"
            if opened is not None:
                kinds[opened[0]] += 1
    assert set(kinds) == {"gear", "cards", "react", "slipstream", "discard"}
    assert answers[1] > 50, "decisions with one answer are opened too"


def test_views_and_open_decisions_do_not_depend_on_hidden_cards() -> None:
    stream = Stream("swap")
    for seed in ("a", "b"):
        game = RandomPlay(setup_of("usa", seats=3, legends=2, laps=1, seed=seed), seed)
        while game.race.phase is not Phase.ENDED:
            race = game.race
            for onlooker in (0, 1, 2, None):
                other = swapped(race, onlooker, stream)
                assert seen(other, onlooker) == seen(race, onlooker)
                assert {n: d.kind for n, d in other.open.items()} == {n: d.kind for n, d in race.open.items()}
            game.step()


def test_react_opens_without_heat_in_the_hand_and_cards_with_a_cluttered_one() -> None:
    game = RandomPlay(setup_of(seats=2, seed="opens"), "opens")
    race = game.run()
    turns = [event.car for event in game.events if isinstance(event, e.TurnStarted)]
    cluttered = [event for event in game.events if isinstance(event, e.HandCluttered)]
    reacts = [
        event
        for before, event in zip(game.events, game.events[1:], strict=False)
        if isinstance(event, e.DecisionsOpened)
        and event.kind == "react"
        and isinstance(before, e.PhaseEntered)
    ]
    assert len(reacts) == len(turns) - len(cluttered)
    asked = [
        event.seats for event in game.events if isinstance(event, e.DecisionsOpened) and event.kind == "cards"
    ]
    assert asked == [(0, 1)] * race.round


def test_masked_events_differ_from_the_true_ones_only_in_hidden_fields() -> None:
    game = RandomPlay(setup_of(seats=3, legends=1, laps=1, seed="mask"), "mask")
    game.run()
    hidden_from_all = {"PilesMade": "draw_pile", "LegendCardsShuffled": "order", "PileReshuffled": "order"}
    hidden_from_others = {"CardsDrawn": "cards", "ChoiceMade": "command"}
    for event in game.events:
        name = type(event).__name__
        for seat in (0, 1, 2, None):
            masked = view_event(event, seat)
            field = hidden_from_all.get(name)
            owner = getattr(event, "seat", None)
            if field is None and seat != owner:
                field = hidden_from_others.get(name)
            if name == "ChoiceMade" and not isinstance(
                getattr(event, "command", None), c.ShiftGear | c.PlayCards | c.Discard
            ):
                field = None
            if field is None:
                assert masked == event
            else:
                assert getattr(masked, field) is None
                assert msgspec.structs.replace(masked, **{field: getattr(event, field)}) == event


def test_the_public_set_up_has_neither_seed_nor_cards() -> None:
    setup = make_position(
        track_facts("usa"),
        {"ana": "lap 1 space 30 hand 4 3", "ben": "lap 1 space 20 hand start-5"},
        seed="secret!",
    )
    told = msgspec.json.encode(public_setup(setup))
    assert b"secret!" not in told
    assert b"start-5" not in told


def test_a_choice_is_told_to_its_owner_alone() -> None:
    game = RandomPlay(setup_of(seats=2, seed="own"), "own")
    race = game.race
    assert view_race(race, None).own is None
    for seat in (0, 1):
        own = view_race(race, seat).own
        assert own is not None
        assert own.seat == seat
        assert own.choice == choice_of(race, seat)
        assert list(own.hand) == race.seat(seat).hand
        assert list(enumerate_commands(choice_of(race, seat)))
