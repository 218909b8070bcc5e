"""Bots choose from a seat's sight alone, legally, and steady ones seldom spin out."""

from __future__ import annotations

import pytest

from heat_core.bots import BOTS, BotName
from heat_core.choices import choice_of, enumerate_commands
from heat_core.commands import normalised
from heat_core.events import SpunOut
from heat_core.files import track_names
from heat_core.presets import PRESETS
from heat_core.rng import Stream
from heat_core.simulation import BadDrivers, make_table, parse_drivers, play_out, simulate
from heat_core.view import Sight, public_setup, view_race
from tests.core.support import RandomPlay, setup_of, track_facts


@pytest.mark.parametrize("bot", list(BOTS))
def test_a_bot_says_nothing_but_legal_commands_and_the_same_again(bot: BotName) -> None:
    game = RandomPlay(setup_of("spain", seats=3, legends=1, seed=bot), bot)
    for number in range(120):
        for seat in game.race.open:
            sight = Sight(public_setup(game.setup), view_race(game.race, seat))
            said = BOTS[bot](sight, Stream(str(number)))
            assert normalised(said) in set(enumerate_commands(choice_of(game.race, seat)))
            assert BOTS[bot](sight, Stream(str(number))) == said
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
