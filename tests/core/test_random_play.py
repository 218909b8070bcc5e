"""Whole races by random commands and steady bots, on every board: they end, conserve cards, and replay."""

from __future__ import annotations

import pytest

from heat_core.files import track_names
from heat_core.folding import fold
from heat_core.presets import LEGEND_LEVELS, PRESETS, LegendLevel, PresetName
from heat_core.race import Phase, dump_race
from heat_core.replay import Record, decode_record, encode_record, verify_record
from heat_core.setup import LegendSetup
from heat_core.simulation import make_table, play_out
from tests.core.support import RandomPlay, setup_of, track_facts

BATCHES = 8
RACES_A_BATCH = 25
SOAK_RACES = 1000
LEVELS: tuple[LegendLevel, ...] = ("easy", "medium", "hard")


def random_race(board: str, number: int, preset: PresetName = "standard") -> RandomPlay:
    """Race number `number`: 2 to 6 cars, from one seat to all of them seats."""
    cars = 2 + number % 5
    seats = 1 + number % cars
    bonus, chevrons = LEGEND_LEVELS[LEVELS[number % 3]]
    setup = setup_of(
        board,
        seats=seats,
        legends=cars - seats,
        legend=LegendSetup(bonus, chevrons),
        laps=1 if number % 4 else None,
        seed=f"{board}/{number}",
        rules=PRESETS[preset],
    )
    game = RandomPlay(setup, f"random/{number}")
    game.run()
    return game


def check(game: RandomPlay) -> None:
    """Prove what every finished race must hold."""
    assert game.race.phase is Phase.ENDED
    assert {standing.car for standing in game.race.standings} == set(range(len(game.race.cars)))
    game.check_record()
    record = decode_record(encode_record(game.setup, game.events, "test"))
    assert record == Record(game.setup, tuple(game.events))
    assert dump_race(verify_record(record)) == dump_race(game.race)


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("board", track_names())
def test_two_hundred_races_a_board_end_and_replay(board: str, batch: int) -> None:
    for number in range(batch * RACES_A_BATCH, (batch + 1) * RACES_A_BATCH):
        check(random_race(board, number))


@pytest.mark.parametrize("board", track_names())
def test_races_by_the_rulebook_end_and_replay(board: str) -> None:
    for number in range(5):
        check(random_race(board, number, "rulebook"))


@pytest.mark.soak
@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", track_names())
def test_a_thousand_races_a_board_end_and_replay(board: str, preset: PresetName) -> None:
    for number in range(1000, 1000 + SOAK_RACES):
        check(random_race(board, number, preset))


@pytest.mark.parametrize("board", track_names())
def test_steady_bots_race_every_board_and_replay(board: str) -> None:
    facts = track_facts(board)
    table = make_table(facts, None, ["steady"] * 4 + ["legend:hard"] * 2, PRESETS["standard"], board)
    play_out(table)
    assert dump_race(fold(table.setup, table.log)) == dump_race(
        verify_record(Record(table.setup, tuple(table.log)))
    )


@pytest.mark.parametrize("cars", [7, 8])
def test_eight_cars_fit_on_every_board(cars: int) -> None:
    for board in track_names():
        setup = setup_of(board, seats=3, legends=cars - 3, laps=1, seed=f"{board}/{cars}")
        game = RandomPlay(setup, board)
        game.run()
        check(game)
