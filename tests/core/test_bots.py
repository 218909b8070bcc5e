"""Bots choose from a seat's observation alone, legally, and steady ones seldom spin out."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from heat_core.bots import BOTS
from heat_core.decisions import choice_of, enumerate_commands
from heat_core.drivers import BotName
from heat_core.files import track_names
from heat_core.race import commands as c
from heat_core.race.events import SpunOut
from heat_core.race.normal_form import normalised
from heat_core.race.presets import PRESETS
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.simulation import BadDrivers, make_table, parse_drivers, play_out, simulate
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from tests.core.support import RandomPlay, setup_of, track_facts
from tests.core.support_turns import begin, leave_react, reveal, to_discard


def test_a_bot_has_its_name_wherever_bots_are_listed() -> None:
    """What CONTRIBUTING.md, "Add a bot", says: type, table, and the page about position files."""
    assert get_args(BotName) == tuple(BOTS)
    page = (Path(__file__).parents[2] / "docs" / "positions.md").read_text(encoding="utf-8")
    (told,) = (line for line in page.splitlines() if line.startswith("| `driver "))
    assert all(f"`{bot}`" in told for bot in BOTS)


@pytest.mark.parametrize("bot", list(BOTS))
def test_a_bot_says_nothing_but_legal_commands_and_the_same_again(bot: BotName) -> None:
    game = RandomPlay(setup_of("spain", seats=3, legends=1, seed=bot), bot)
    for number in range(120):
        for seat in game.race.open:
            observation = Observation(public_setup(game.setup), view_race(game.race, seat))
            said = BOTS[bot](observation, Stream(str(number)))
            assert normalised(said) in set(enumerate_commands(choice_of(game.race, seat)))
            assert BOTS[bot](observation, Stream(str(number))) == said
        game.step()


def test_steady_bots_seldom_spin_out_and_beat_random_ones() -> None:
    spin_outs = turns = 0
    wins = 0
    for board in track_names():
        for number in range(5):
            drivers = ["steady", "random", "steady", "random"]
            table = make_table(track_facts(board), None, drivers, PRESETS["standard"], f"{board}/{number}")
            play_out(table)
            spin_outs += sum(isinstance(event, SpunOut) and event.seat in (0, 2) for event in table.log)
            turns += 2 * table.view(None).round
            wins += table.view(None).standings[0].car in (0, 2)
    assert wins == 40
    assert spin_outs / turns < 0.02


def steady(race: Race, seat: int = 0) -> c.Command:
    return BOTS["steady"](Observation(public_setup(race.setup), view_race(race, seat)), Stream("any"))


@pytest.mark.parametrize(
    ("roads", "card"), [("- limit-1 - -", "2"), ("- - - -", "3"), ("- limit+1 - -", "4")]
)
def test_a_steady_bot_drives_by_the_limits_that_road_tokens_make(roads: str, card: str) -> None:
    """Space 33 lies before corner 2, limit 3; a short engine makes Heat dear."""
    race = begin("lap 1 space 33 gear 1 engine 1 hand 2 3 4 draw 1 1", weather="fog", roads=roads)
    assert steady(race) == c.PlayCards((card,))


def test_a_steady_bot_counts_the_heat_of_an_overheated_corner() -> None:
    """Of 2 Heat a 4 at limit 3 would take 1; with the token it takes all."""
    words = "lap 1 space 33 gear 1 engine 1 hand 3 4 draw 1 1"
    assert steady(begin(words, weather="fog", roads="- - - -")) == c.PlayCards(("3",))
    dear = begin(words.replace("engine 1", "engine 4"), weather="fog", roads="- overheat - -")
    assert steady(dear) == c.PlayCards(("3",))


def test_a_steady_bot_counts_adjust_symbols_and_the_heat_of_cards() -> None:
    """tyres-3 lifts limit 3 to 4, so that 2 + 2 is free; wings-1 would want Heat that is not there."""
    race = begin("lap 1 space 33 gear 2 engine 0 hand tyres-3 1 2 2 draw 1 1")
    command = steady(race)
    assert isinstance(command, c.PlayCards)
    assert command.cards == ("2", "tyres-3")
    poor = begin("lap 1 space 33 gear 2 engine 0 hand wings-1 1 2 draw 1 1")
    assert steady(poor) == c.PlayCards(("1", "2"))


def test_a_steady_bot_keeps_good_cards_by_refresh_but_no_fast_one_before_a_tight_corner() -> None:
    for space, refreshed in ((58, ("suspension-3",)), (29, ())):
        race = begin(f"lap 1 space {space} gear 1 engine 6 hand suspension-3 1 2 2 2 3 3 draw 1 1 3")
        reveal(race, "suspension-3")
        leave_react(race)
        to_discard(race)
        command = steady(race)
        assert isinstance(command, c.Discard)
        assert command.refresh == refreshed, space


@pytest.mark.parametrize(("event", "card"), [("chicanes", "heat"), ("tunnel-vision", "stress")])
def test_a_steady_bot_puts_away_what_clogs_where_the_event_lets_it(event: str, card: str) -> None:
    race = begin("lap 1 space 20 gear 1 hand 2 2 heat stress draw 1 1 1 3 3", event=event)
    reveal(race, "2")
    leave_react(race)
    to_discard(race)
    command = steady(race)
    assert isinstance(command, c.Discard)
    assert command.cards == (card,)


def test_drivers_are_read_from_words() -> None:
    assert parse_drivers("steady, random,legend:hard") == ["steady", "random", "legend:hard"]
    for wrong in ("", "steady,", "legend", "legend:", "human"):
        with pytest.raises(BadDrivers):
            parse_drivers(wrong)


def test_simulations_count_places_rounds_and_decisions() -> None:
    runs = list(simulate(track_facts("italy"), 1, ["steady", "legend:easy"], PRESETS["standard"], "s", 4))
    _, figures = runs[-1]
    assert figures.races == len(runs) == len(figures.rounds) == 4
    assert [sum(car.places) for car in figures.cars] == [4, 4]
    assert figures.decisions > 4 * 10
    assert len({table.setup.seed for table, _ in runs}) == 4
