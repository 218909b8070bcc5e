"""Roll-outs: what is seen is kept, what is hidden is dealt anew, and nothing else is used."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from heat_core.bots import BOTS
from heat_core.decisions import choice_of, sample_command
from heat_core.engine import start_race, step
from heat_core.race import commands as c
from heat_core.race.phase import Phase
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race
from heat_core.refusal import Refused
from heat_core.rng import Stream
from heat_core.rollouts.dealing import Dealing, NoRollOut
from heat_core.rollouts.play import RollOuts
from heat_core.rollouts.seen import RolledObservation
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_core.view.secrecy import public_setup, view_race
from tests.core.random_setups import random_module_setup, random_setup
from tests.core.support import RandomPlay, all_cards, setup_of
from tests.core.support_turns import begin


def seen(race: Race, seat: int | None = 0) -> Observation:
    return Observation(public_setup(race.setup), view_race(race, seat))


def is_in_a_round(race: Race) -> bool:
    return Phase.SET_UP < race.phase < Phase.ENDED


def as_dealt(view: RaceView) -> RaceView:
    """Take out of a view what is to be asked again: whether others have chosen, and ids that are theirs."""
    own = None if view.own is None else view.own.seat
    decisions = tuple(
        each if each.seat == own else replace(each, has_chosen=False) for each in view.decisions
    )
    return replace(view, decisions=decisions)


@pytest.mark.parametrize("number", range(16))
def test_a_dealt_race_looks_to_its_seat_as_the_true_one_does(number: int) -> None:
    stream = Stream(f"dealt/{number}")
    game = RandomPlay((random_module_setup if number % 2 else random_setup)(stream), stream)
    for _ in range(150):
        race = game.race
        if race.phase is Phase.ENDED:
            break
        if is_in_a_round(race):
            seat = stream.choose([None, *race.seats()])
            observation = seen(race, seat)
            dealt = Dealing(observation).deal(stream)
            assert as_dealt(view_race(dealt, seat)) == as_dealt(observation.view)
            assert dealt.places == race.places
            assert (dealt.out, dealt.left, dealt.turns_taken) == (race.out, race.left, turns_taken(race))
            for other in race.seats():
                sizes = len(dealt.seat(other).hand), len(dealt.seat(other).draw_pile)
                assert sizes == (len(race.seat(other).hand), len(race.seat(other).draw_pile))
        game.step()


def turns_taken(race: Race) -> int:
    """Count the turns of a round; before and after them a race may hold any number."""
    return race.turns_taken if race.turn else len(race.turn_order)


def test_every_card_is_dealt_where_no_rule_takes_any_out_of_the_game() -> None:
    game = RandomPlay(setup_of("usa", seats=4, legends=2, seed="cards"), "cards")
    for _ in range(200):
        if is_in_a_round(game.race):
            dealt = Dealing(seen(game.race)).deal(game.stream)
            for seat in game.race.seats():
                assert all_cards(dealt, seat) == all_cards(game.race, seat)
            used = [*dealt.legend_deck, *([] if dealt.legend_card is None else [dealt.legend_card])]
            assert len(set(used)) == len(used)
            assert len(dealt.legend_deck) == len(game.race.legend_deck) % 10
        game.step()


def test_hidden_cards_are_dealt_uniformly() -> None:
    """Of the other seat's 18 cards 7 are in its hand, and the own draw pile may lie in any order."""
    race, _ = start_race(setup_of("usa", seats=2, seed="uniform"))
    dealing, stream, deals = Dealing(seen(race)), Stream("uniform"), 2_700
    hands, tops = Counter[str](), Counter[str]()
    for _ in range(deals):
        dealt = dealing.deal(stream)
        hand = dealt.seat(1).hand
        hands.update(card for card in ("start-0", "start-5", "heat") if card in hand)
        hands["both"] += "start-0" in hand and "start-5" in hand
        tops[dealt.seat(0).draw_pile[-1]] += 1
    for card in ("start-0", "start-5", "heat"):
        assert abs(hands[card] - deals * 7 / 18) < 127, "five deviations"
    assert abs(hands["both"] - deals * 7 * 6 / (18 * 17)) < 90, "five deviations"
    pile = Counter(race.seat(0).draw_pile)
    assert set(tops) == set(pile)
    assert all(abs(tops[card] - deals * count / 11) < 130 for card, count in pile.items()), "five deviations"


def test_the_true_hidden_cards_make_no_difference() -> None:
    """Two races that a seat cannot tell apart, because only hidden cards differ, roll out alike."""
    game = RandomPlay(setup_of("italy", seats=3, legends=1, seed="secret"), "secret")
    while game.race.round < 3 or game.race.phase is not Phase.REACT:
        game.step()
    seat = game.race.owing[0]
    other = Dealing(seen(game.race, seat)).deal(Stream("another luck"))
    others = [number for number in game.race.seats() if number != seat]
    assert any(other.seat(number).hand != game.race.seat(number).hand for number in others)
    ends = [RollOuts(seen(race, seat)).play(Stream("luck")) for race in (game.race, other)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("number", range(8))
def test_a_roll_out_ends_from_any_moment_and_comes_to_the_same_again(number: int) -> None:
    stream = Stream(f"ends/{number}")
    game = RandomPlay((random_module_setup if number % 2 else random_setup)(stream), stream)
    for _ in range(60):
        race = game.race
        if race.phase is Phase.ENDED:
            break
        if is_in_a_round(race) and not stream.below(4):
            before = dump_race(race)
            roll_outs = RollOuts(seen(race, stream.choose([None, *race.seats()])))
            standings = roll_outs.play(Stream("luck"))
            assert sorted(each.car for each in standings) == list(range(len(race.cars)))
            assert roll_outs.play(Stream("luck")) == standings
            assert dump_race(race) == before
        game.step()


def test_policies_drive_by_what_their_seat_sees_and_are_checked() -> None:
    race, _ = start_race(setup_of("usa", seats=3, seed="policies"))
    asked = Counter[int]()

    def random(observation: Observation, stream: Stream) -> c.Command:
        asked[observation.seat] += 1
        return sample_command(observation.own.choice, stream)  # type: ignore[arg-type]  # because it is asked

    standings = RollOuts(seen(race), {1: random}).play(Stream("luck"))
    assert set(asked) == {1}
    assert standings[-1].car == 1
    with pytest.raises(Refused):
        RollOuts(seen(race), {1: lambda *_: c.EndReact()}).play(Stream("luck"))


def test_cards_that_lie_face_down_are_chosen_anew_by_who_laid_them() -> None:
    words = "lap 1 space 20 gear 2 hand 1 2 3 draw 1 1 2 2 3 3 4"
    race = begin({"ana": words, "ben": words.replace("20", "15"), "cem": words.replace("20", "10")})
    for seat, cards in enumerate((("1", "2"), ("2", "3"), ("1", "3"))):
        step(race, seat, c.PlayCards(cards))
    assert race.phase is Phase.REACT
    dealing = Dealing(seen(race))
    assert dealing.face_down == (1, 2)
    asked = []

    def lay(observation: Observation, stream: Stream) -> c.Command:
        if observation.phase is Phase.PLAY_CARDS:
            asked.append((observation.seat, observation.view.round))
        return BOTS["steady"](observation, stream)

    RollOuts(seen(race), dict.fromkeys(range(3), lay)).play(Stream("luck"))
    assert asked[:2] == [(1, race.round), (2, race.round)]


def test_the_first_answer_may_be_given_and_is_checked() -> None:
    race, _ = start_race(setup_of("usa", seats=2, seed="first"))
    roll_outs = RollOuts(seen(race))
    ends = {gear: roll_outs.play(Stream("luck"), c.ShiftGear(gear)) for gear in (1, 2)}
    assert len(ends) == 2
    with pytest.raises(Refused):
        roll_outs.play(Stream("luck"), c.ShiftGear(4))
    with pytest.raises(ValueError, match="spectator"):
        RollOuts(seen(race, None)).play(Stream("luck"), c.ShiftGear(1))


def test_outside_of_a_round_nothing_is_rolled_out() -> None:
    game = RandomPlay(setup_of("usa", seats=2, seed="over"), "over")
    game.run()
    with pytest.raises(NoRollOut, match="within a round"):
        RollOuts(seen(game.race))


@pytest.mark.parametrize("number", range(4))
def test_a_rolled_observation_says_what_a_plain_one_says(number: int) -> None:
    stream = Stream(f"rolled/{number}")
    game = RandomPlay(random_module_setup(stream), stream)
    for _ in range(150):
        race = game.race
        if race.phase is Phase.ENDED:
            break
        seat = race.owing[0]
        plain = seen(race, seat)
        rolled = RolledObservation(plain.setup, race, seat, choice_of(race, seat))
        assert facts_of(rolled) == facts_of(plain)
        assert BOTS["steady"](rolled, stream) == BOTS["steady"](plain, stream)
        game.step()


def facts_of(observation: Observation) -> dict[str, Any]:
    names = ("setup", "track", "finish_line", "view", "own", "seat", "choice", "hand", "own_car", "turn")
    facts = {name: getattr(observation, name) for name in (*names, "phase", "roads", "weather")}
    facts["occupied"] = [observation.occupied(car.number) for car in observation.view.cars]
    facts["effect"] = observation.sector_effect(observation.own_car.progress)
    return facts
