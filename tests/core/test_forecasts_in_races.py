"""Forecasts of cards before anybody drives: whole races, with cars ahead and behind, and Legends."""

from __future__ import annotations

from collections import Counter

import pytest

from heat_core.bots import steady
from heat_core.decisions import CardsChoice, choice_of, sample_command
from heat_core.engine import step
from heat_core.files import track_names
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.setup import LegendSetup
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.view.forecast import forecast_cards, forecast_each_value, forecast_end_of_react
from heat_core.view.outcomes import Forecast, Outcome
from heat_core.view.traffic import cars_before
from tests.core.properties_forecasts import CardsTold, check_cards, observation_of
from tests.core.support import RandomPlay, position, setup_of

PLAYS_TRIED = 4

CARD_HANDS = "hand 2 3 2 4 1 4 4"
LEGENDS_AHEAD = {
    "ana": f"lap 1 space 25 gear 2 engine 2 {CARD_HANDS}",
    "l": "lap 1 space 33 spot race legend easy",
    "m": "lap 1 space 33 spot other legend easy",
}
"""The space before corner 2 (limit 3) is full of Legends, which will have left it when Ana comes."""
SEATS_AHEAD = {
    "ben": f"lap 1 space 28 spot race gear 2 {CARD_HANDS}",
    "cas": f"lap 1 space 28 spot other gear 3 {CARD_HANDS}",
}


def spaces(race: Race, outcome: Outcome) -> tuple[int, tuple[int, ...]]:
    return race.track.space(outcome.end), tuple(race.track.space(end) for end in outcome.spin_ends)


@pytest.mark.parametrize("card", range(10))
def test_legends_that_will_leave_a_space_do_not_make_a_car_spin_out(card: int) -> None:
    race = position(LEGENDS_AHEAD)
    race.legend_deck = [card]
    told = forecast_cards(observation_of(race, 0), ("4", "4"))
    assert told.is_certain
    assert spaces(race, told.slowest) == (33, ())
    assert told.slowest.bills == ()
    step(race, 0, c.PlayCards(("4", "4")))
    assert race.turn is not None
    assert race.turn.car == 0
    step(race, 0, c.EndReact())
    assert (race.track.space(race.seat(0).progress), race.seat(0).engine) == (33, 2)


def test_seats_that_may_fill_a_space_make_a_spin_out_possible_not_certain() -> None:
    race = position(LEGENDS_AHEAD | SEATS_AHEAD)
    told = forecast_cards(observation_of(race, 0), ("4", "4"))
    assert not told.is_certain
    first, (other,) = told.slowest, told.slowest.instead
    assert spaces(race, first) == (33, ())
    assert spaces(race, other) == (34, (32,))
    assert (other.owed, other.engine_left) == (5, 0)
    assert [race.track.space(progress) for progress in other.full] == [33]
    assert (told.spin_out_probability, told.spin_out_at_most) == (0, 1)


def test_one_seat_alone_fills_no_space_of_two_spots() -> None:
    race = position(LEGENDS_AHEAD | {"ben": SEATS_AHEAD["ben"]})
    assert forecast_cards(observation_of(race, 0), ("4", "4")).is_certain


def test_cars_that_drive_later_fill_a_space_for_sure() -> None:
    """Lapped cars drive after Ana: 33 stays full, and 34 and the bill are certain."""
    race = position(
        {
            "ana": f"lap 2 space 25 gear 2 engine 6 {CARD_HANDS}",
            "ben": f"lap 1 space 33 spot race gear 1 {CARD_HANDS}",
            "cas": f"lap 1 space 33 spot other gear 1 {CARD_HANDS}",
        },
        laps=3,
    )
    told = forecast_cards(observation_of(race, 0), ("4", "4"))
    assert told.is_certain
    assert race.track.space(told.slowest.aim) == 33
    assert race.track.space(told.slowest.end) == 34
    assert told.slowest.owed == 5


def test_who_starts_at_the_back_of_the_grid_is_told_where_it_may_end() -> None:
    """All ahead drive first: no two speeds end in one space for sure, and none is pushed on for sure."""
    game = RandomPlay(setup_of("usa", seats=6, laps=1, seed="grid"), "grid")
    while game.race.phase is not Phase.PLAY_CARDS:
        game.step()
    race = game.race
    last = min(race.racing_seats(), key=lambda seat: (race.seat(seat).progress, -race.seat(seat).spot))
    observation = observation_of(race, last)
    for cards in {cards for cards in observation.own.hand if cards in ("1", "2", "3", "4")}:
        told = forecast_cards(observation, (cards,))
        assert told.slowest.end == told.slowest.aim == race.seat(last).progress + int(cards)
        assert told.slowest.instead


@pytest.mark.spec("DASH-9")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_what_is_told_of_cards_comes_true_in_whole_races_on_all_boards(preset: PresetName) -> None:
    """Some plays are tried out for each seat in each round; what can happen now does happen, now does not."""
    seen = Counter[str]()
    for number, board in enumerate(track_names()):
        setup = setup_of(
            board,
            seats=5 - number % 2,
            legends=1 + number % 2,
            legend=LegendSetup(2, True),
            laps=1,
            seed=f"forecasts/{board}",
            rules=PRESETS[preset],
        )
        race, stream = RandomPlay(setup, f"forecasts/{board}").race, Stream(f"forecasts/{board}/{preset}")
        while race.phase is not Phase.ENDED:
            if race.phase is Phase.PLAY_CARDS and all(one.chosen is None for one in race.open.values()):
                for seat in race.racing_seats():
                    try_plays(race, seat, stream, seen)
            answer_one(race, stream, is_random=False)
    wanted = {
        f"{kind}: {how}, came" for kind in ("end", "spin-out", "slipstream") for how in ("sure", "possible")
    }
    wanted |= {f"{kind}: possible, did not come" for kind in ("end", "slipstream")}
    if preset == "standard":
        wanted.add("spin-out: possible, did not come")  # by the rulebook a full space can only prevent one
    assert all(seen[kind] >= 3 for kind in wanted), seen
    assert seen["end: sure, came"] > seen["end: possible, did not come"] > seen["end: possible, came"]


def try_plays(race: Race, seat: int, stream: Stream, seen: Counter[str]) -> None:
    """Try out some cards for a seat, with the others choosing as they like, up to where its move ends."""
    choice = choice_of(race, seat)
    assert isinstance(choice, CardsChoice)
    observation = observation_of(race, seat)
    for number in range(0 if choice.is_cluttered else PLAYS_TRIED):
        command = sample_command(choice, stream)
        assert isinstance(command, c.PlayCards)
        told = forecast_each_value(observation, command.cards)
        trial = race.copy()
        step(trial, seat, command)
        while not (trial.turn is not None and trial.turn.car == seat and seat in trial.open):
            answer_one(trial, stream, is_random=number % 2 == 1)
        check_cards(trial, seat, CardsTold(told, not cars_before(observation)))
        count(trial, seat, told, seen)


def answer_one(race: Race, stream: Stream, *, is_random: bool) -> list[e.Event]:
    seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
    if is_random:
        return step(race, seat, sample_command(choice_of(race, seat), stream))
    return step(race, seat, steady.choose(observation_of(race, seat), stream))


def count(race: Race, seat: int, told: tuple[Forecast, ...], seen: Counter[str]) -> None:
    """Count what was given as sure or possible for the speed that has come, by what came."""
    if len(told) > 1:
        return
    after = forecast_end_of_react(observation_of(race, seat)).slowest
    outcome = next(outcome for outcome in told[0].outcomes if outcome.speed == after.speed)
    ways = outcome.ways
    elsewhere = "came" if after.end != outcome.end else "did not come"
    seen["end: sure, came" if len(ways) == 1 else f"end: possible, {elsewhere}"] += 1
    if any(way.spins_out for way in ways):
        is_sure = all(way.spins_out for way in ways)
        came = "came" if after.spins_out else "did not come"
        seen[f"spin-out: {'sure' if is_sure else 'possible'}, {came}"] += 1
    if any(way.may_slipstream for way in ways):
        is_sure = all(way.slipstream_end is not None for way in ways)
        came = "came" if after.slipstream_end is not None else "did not come"
        seen[f"slipstream: {'sure' if is_sure else 'possible'}, {came}"] += 1


def test_a_car_that_full_spaces_hold_back_is_told_so() -> None:
    race = position(LEGENDS_AHEAD | SEATS_AHEAD, rules=RULEBOOK)
    told = forecast_cards(observation_of(race, 0), ("4", "4"))
    assert [race.track.space(way.end) for way in told.ways] == [33, 32]
    is_sure = [way.slipstream_end is not None for way in told.ways]
    assert is_sure == [False, True], "held back by a full space is to stand right behind a car"
