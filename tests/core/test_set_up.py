"""What a race begins with, and what cannot be a race."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from heat_core.cards import CATALOGUE, HEAT, STRESS
from heat_core.engine import start_race
from heat_core.files import load_track, track_names
from heat_core.options.settings import make_rules
from heat_core.race import events as e
from heat_core.race.cars import Seat
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, STANDARD, Rules
from heat_core.race.setup import COLOURS, BadSetup, CarSetup, LegendSetup, make_setup
from heat_core.race.state import new_race
from heat_core.record.record import Record, verify_record
from heat_core.simulation import make_table, play_out
from heat_core.track import Track
from heat_core.track_facts import TrackFacts
from heat_core.track_files.file import BadTrack, parse_track
from tests.core.support import RandomPlay, all_cards, position, setup_of, track, track_facts


@pytest.mark.spec("CORE-1")
def test_a_seat_holds_gear_cards_engine_and_place() -> None:
    race = position(
        {
            "ana": "lap 1 space 30 spot other gear 3 engine 4 hand 4 3 2 draw 1 1 discard heat",
            "ben": "lap 1 space 20 hand 1 2",
        }
    )
    ana = race.seat(0)
    assert (ana.gear, ana.engine, ana.spot, race.track.lap(ana.progress), race.track.space(ana.progress)) == (
        3,
        4,
        1,
        1,
        30,
    )
    assert (ana.hand, ana.draw_pile, ana.discard_pile, ana.played) == (
        ["2", "3", "4"],
        ["1", "1"],
        ["heat"],
        [],
    )


@pytest.mark.spec("CORE-2")
def test_a_race_holds_round_phase_order_laps_status_and_who_decides() -> None:
    setup = setup_of(seats=3, laps=1)
    assert new_race(setup).status == "set_up"
    race, _ = start_race(setup)
    assert (race.round, race.phase, race.setup.laps, race.status) == (1, Phase.SHIFT_GEARS, 1, "running")
    assert {seat: decision.kind for seat, decision in race.open.items()} == dict.fromkeys(range(3), "gear")
    for phase in Phase:
        race.phase = phase
        assert race.status == {Phase.SET_UP: "set_up", Phase.ENDED: "ended"}.get(phase, "running")


@pytest.mark.spec("TRACK-7")
@pytest.mark.parametrize("board", track_names())
def test_cars_line_up_behind_the_start_line_and_crossing_it_starts_lap_one(board: str) -> None:
    facts = track_facts(board)
    setup = setup_of(board, seats=6, legends=2, laps=1, seed=board)
    race, events = start_race(setup)
    grid = next(event.order for event in events if isinstance(event, e.GridDrawn))
    assert sorted(grid) == list(range(8))
    for (space, side), number in zip(facts.grid, grid, strict=True):
        car = race.cars[number]
        assert race.track.lap(car.progress) == 0, "behind the start line"
        assert (race.track.space(car.progress), race.track.side_of(space, car.spot)) == (space, side)
    # A race of one lap: everybody crosses the line within the first rounds, and nobody has finished by that.
    game = RandomPlay(setup, board)
    crossed: dict[int, int] = {}
    while len(crossed) < 8:
        for number, car in enumerate(game.race.cars):
            if car.progress > facts.spaces:
                crossed.setdefault(number, race.track.lap(car.progress))
                assert car.status == "racing" or car.progress > 2 * facts.spaces
        game.step()
    assert set(crossed.values()) == {1}


@pytest.mark.spec("CORE-4", "RACE-2")
@pytest.mark.parametrize("board", track_names())
def test_decks_hands_gears_and_engines_at_the_start(board: str) -> None:
    facts = track_facts(board)
    race, events = start_race(setup_of(board, seats=4, legends=2, seed=board))
    deck = Counter(
        {"1": 3, "2": 3, "3": 3, "4": 3, "start-0": 1, "start-5": 1, HEAT: 1, STRESS: facts.stress}
    )
    orders = []
    for number in race.seats():
        seat = race.seat(number)
        assert seat.engine == facts.heat
        assert all_cards(race, number) == deck + Counter({HEAT: facts.heat})
        assert (len(seat.hand), seat.gear, seat.discard_pile, seat.played) == (7, 1, [], [])
        made = next(event for event in events if isinstance(event, e.PilesMade) and event.seat == number)
        assert Counter(made.draw_pile) == deck
        orders.append(made.draw_pile)
    assert len(set(orders)) == len(orders), "each deck has an order of its own"


def test_laps_are_chosen_and_the_grid_is_drawn_by_the_seed() -> None:
    assert [setup_of("italy", laps=laps).laps for laps in (None, 1, 2, 3, 4)] == [3, 1, 2, 3, 4]
    for laps in (0, 5):
        with pytest.raises(BadSetup, match="laps"):
            setup_of(laps=laps)
    grids = {
        next(
            event.order
            for event in start_race(setup_of(seats=6, seed=str(seed)))[1]
            if isinstance(event, e.GridDrawn)
        )
        for seed in range(40)
    }
    assert len(grids) > 20
    assert {grid[0] for grid in grids} == set(range(6))


EIGHT = make_rules("standard", {"most_cars": "8"})


def cars_of(seats: int, legends: int) -> list[CarSetup]:
    """Make cars of which no two are alike, up to eight."""
    return [
        CarSetup(f"c{n}", COLOURS[n % 8], LegendSetup() if n >= seats else None)
        for n in range(seats + legends)
    ]


@pytest.mark.spec("RACE-3")
@pytest.mark.parametrize("board", track_names())
def test_one_to_six_seats_with_legends_up_to_six_cars_and_eight_by_setting(board: str) -> None:
    facts = track_facts(board)

    def refusal(seats: int, legends: int, rules: Rules) -> str:
        try:
            setup = make_setup(facts, cars_of(seats, legends), seed="x", rules=rules)
        except BadSetup as error:
            return str(error)
        assert len(start_race(setup)[0].cars) == seats + legends
        return ""

    for preset in PRESETS:
        for rules, most in ((PRESETS[preset], 6), (make_rules(preset, {"most_cars": "8"}), 8)):
            for cars in range(1, 10):
                for seats in range(cars + 1):
                    told = refusal(seats, cars - seats, rules)
                    assert bool(told) == (cars < 2 or cars > most or seats == 0), (cars, seats, told)
                    assert (f"{facts.name} has 2 to {most}" in told) == (cars < 2 or cars > most)
                    assert ("by the setting most_cars=8" in told) == (most < cars <= 8)


@pytest.mark.spec("RACE-3")
@pytest.mark.parametrize("board", track_names())
def test_a_race_of_eight_is_played_to_its_end_on_every_board(board: str) -> None:
    for seats in (8, 1):
        drivers = ["steady"] * seats + ["legend:medium"] * (8 - seats)
        table = make_table(track_facts(board), 1, drivers, EIGHT, f"eight/{board}")
        play_out(table)
        assert table.is_over
        ended = table.log[-1]
        assert isinstance(ended, e.RaceEnded)
        assert ended.reason == "finished"
        assert sorted(standing.car for standing in ended.standings) == list(range(8))
        verify_record(Record(table.setup, tuple(table.log)))


def test_a_board_with_few_places_takes_no_more_cars_by_any_setting() -> None:
    small = msgspec.structs.replace(track_facts("usa"), grid=track_facts("usa").grid[:4])
    for rules in (STANDARD, EIGHT):
        assert len(make_setup(small, cars_of(3, 1), seed="x", rules=rules).cars) == 4
        with pytest.raises(BadSetup, match=r"^5 cars; a race on USA has 2 to 4$"):
            make_setup(small, cars_of(3, 2), seed="x", rules=rules)


def test_a_set_up_names_all_that_is_wrong_with_it() -> None:
    cars = [CarSetup("Ana", "red"), CarSetup("ANA", "red")]
    with pytest.raises(BadSetup) as refused:
        make_setup(track_facts("usa"), cars, seed="x", laps=7)
    assert "same colour" in str(refused.value)
    assert "same name" in str(refused.value)
    assert "7 laps" in str(refused.value)


def test_of_more_cars_than_there_are_colours_only_the_number_is_wrong() -> None:
    cars = [CarSetup(f"car {number}", COLOURS[number % 8]) for number in range(9)]
    with pytest.raises(BadSetup) as refused:
        make_setup(track_facts("usa"), cars, seed="x", rules=EIGHT)
    assert str(refused.value) == "9 cars; a race on USA has 2 to 8"


def test_catalogue_knows_every_kind() -> None:
    assert {card.kind for card in CATALOGUE.values()} == {"speed", "heat", "stress", "upgrade", "sponsorship"}


@pytest.mark.spec("TRACK-4")
@pytest.mark.parametrize("board", track_names())
def test_movement_wraps_at_the_lap(board: str) -> None:
    circuit = track(board)
    spaces = [circuit.space(progress) for progress in range(circuit.spaces, 3 * circuit.spaces)]
    assert spaces == [circuit.spaces, *range(1, circuit.spaces + 1), *range(1, circuit.spaces)]
    assert circuit.lap(2 * circuit.spaces) == 1
    assert circuit.lap(2 * circuit.spaces + 1) == 2
    assert circuit.progress(2, 5) == 2 * circuit.spaces + 5


@pytest.mark.spec("TRACK-6")
def test_two_spots_a_space_one_where_narrow_and_never_three() -> None:
    facts = msgspec.structs.replace(track_facts("usa"), narrow=((5, 7), (30, 30)))
    circuit = Track(facts)
    assert [space for space in range(1, 70) if circuit.spots[space] == 1] == [5, 6, 7, 30]
    assert set(circuit.spots[1:]) == {1, 2}
    with pytest.raises(BadTrack, match="spots"):
        parse_track(msgspec.json.encode(msgspec.to_builtins(facts) | {"spots": 3}))


@pytest.mark.spec("TRACK-10")
@pytest.mark.parametrize("board", track_names())
def test_a_track_serialises_without_loss_and_is_small(board: str) -> None:
    facts = load_track(board)
    data = msgspec.json.encode(facts)
    assert msgspec.json.decode(data, type=TrackFacts) == facts
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=TrackFacts) == facts
    assert len(data) < 8_000


def test_rulebook_and_standard_differ_by_data_alone() -> None:
    assert setup_of(rules=RULEBOOK).rules.boost_gears == (1, 2, 3, 4)
    assert isinstance(start_race(setup_of(rules=RULEBOOK))[0].cars[0], Seat)


def test_eight_cars_have_eight_colours_and_a_helmet_each() -> None:
    cars = [CarSetup(f"c{n}", COLOURS[n], LegendSetup() if n else None) for n in range(8)]
    setup = make_setup(track_facts("usa"), cars, seed="x", rules=EIGHT)
    helmets = [car.legend.helmet for car in setup.cars if car.legend]
    assert len(helmets) == 7
    assert len(set(helmets)) == 6
