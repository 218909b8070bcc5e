"""The value table: expected turns that fall as they should, and come true."""

from __future__ import annotations

import pickle
from statistics import mean

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT, CardName
from heat_core.data.weather import RoadName, WeatherName
from heat_core.planner.legend_turns import legend_turns
from heat_core.planner.table_key import TableKey, table_key
from heat_core.planner.tables import Tables
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.value_table import ValueTable, build_table
from heat_core.planner.winning import chances_of_winning
from heat_core.race.presets import STANDARD
from heat_core.race.setup import LegendSetup, Modules
from heat_core.simulation import make_table, play_out
from tests.core.support import setup_of, track_facts


def key_of(
    board: str,
    *,
    weather: WeatherName | None = None,
    roads: tuple[RoadName | None, ...] = (),
    upgrades: tuple[CardName, ...] | None = None,
) -> TableKey:
    modules = Modules(weather=weather is not None, garage="none" if upgrades is None else "mixed")
    setup = replace(setup_of(board, seats=2, seed="any"), modules=modules)
    return table_key(setup, weather, roads, upgrades or ())


@pytest.fixture(scope="module")
def usa() -> ValueTable:
    return build_table(key_of("usa"))


def test_the_same_key_gives_the_same_table_and_it_travels(usa: ValueTable) -> None:
    again = pickle.loads(pickle.dumps(build_table(key_of("usa"))))  # because it is ours
    places = range(60, usa.finish_line + 5, 7)
    for place in places:
        assert again.values(place) == usa.values(place)
    hand = ("1", "2", "3", "4", "4", "stress")
    assert again.best_turn(100, 3, 4, hand, 1) == usa.best_turn(100, 3, 4, hand, 1)
    assert len(pickle.dumps(usa)) < 4_000_000
    assert usa.size < 4_000_000


def test_turns_fall_with_every_space_and_with_heat(usa: ValueTable) -> None:
    """By the whole race: a lap costs what a lap costs, a Heat in the engine saves a part of a turn."""
    spaces = usa.key.track.spaces
    start, middle = usa.turns(spaces, 1, 6), usa.turns(2 * spaces, 3, 3)
    assert 15 < start < 19
    assert start / 2 == pytest.approx(middle, abs=1.0)
    savings = [
        usa.turns(place, gear, heat) - usa.turns(place, gear, heat + 1)
        for place in range(spaces, usa.finish_line, 5)
        for gear in (1, 2, 3, 4)
        for heat in range(usa.key.heat)
    ]
    assert min(savings) > -0.08
    assert 0.05 < mean(savings) < 0.35


def test_behind_the_line_only_spaces_count_and_before_it_one_turn_is_left(usa: ValueTable) -> None:
    line = usa.finish_line
    assert usa.turns(line + 3, 4, 0) == pytest.approx(-3 / SPACES_A_TURN)
    assert usa.turns(line, 4, 6) < usa.turns(line, 1, 6) < 1
    assert usa.turns(line - 30, 1, 6) > 1


def test_a_tight_corner_close_ahead_wants_a_low_gear_or_heat(usa: ValueTable) -> None:
    """Corner 2 of this board lies behind space 33, with limit 3."""
    before = 33 + usa.key.track.spaces - 1
    assert usa.turns(before, 4, 0) > usa.turns(before, 2, 0) + 0.05
    assert usa.turns(before, 4, 0) - usa.turns(before, 4, 6) > 1


def with_roads(road: RoadName | None) -> TableKey:
    return key_of("usa", weather="fog", roads=(road,) * 4)


@pytest.mark.parametrize(
    ("slower", "faster"),
    [
        (with_roads("limit-1"), with_roads("limit+1")),
        (with_roads("overheat"), with_roads(None)),
        (with_roads(None), with_roads("free-boost")),
        (key_of("usa", upgrades=("rpm-5",)), key_of("usa", upgrades=("4wd-1",))),
        (key_of("usa", upgrades=("body-3",)), key_of("usa", upgrades=("intake-5",))),
        (key_of("usa", upgrades=("brakes-1",)), key_of("usa", upgrades=("brakes-4",))),
    ],
    ids=["limits", "overheat", "free boost", "four-wheel drive", "super cool", "brakes"],
)
def test_tokens_weather_and_upgrades_count(slower: TableKey, faster: TableKey) -> None:
    spaces = slower.track.spaces
    assert build_table(slower).turns(spaces, 1, 5) > build_table(faster).turns(spaces, 1, 5) + 0.1


def test_a_sector_without_cooling_costs_turns() -> None:
    """Clouds take a Stress card away, so the decks are made the same by hand."""
    free, cloudy = key_of("usa"), key_of("usa", weather="clouds")
    assert len(free.deck) == len(cloudy.deck) + 1
    sunny = build_table(key_of("usa", weather="storm"))
    assert build_table(cloudy).turns(70, 1, 2) > sunny.turns(70, 1, 2)


@pytest.mark.parametrize("board", ["usa", "spain"])
def test_what_it_expects_comes_true(board: str) -> None:
    """Two normal bots alone: they need the turns of the table, less what it leaves out.

    That is mostly adrenaline, which one of two has in every round, discards, and that the faster one counts.
    """
    needed = []
    for number in range(4):
        table = make_table(track_facts(board), None, ["normal", "normal"], STANDARD, f"{board}/{number}")
        play_out(table)
        view = table.view(None)
        first = view.cars[view.standings[0].car]
        past = (first.progress - table.observation(first.number).finish_line) / SPACES_A_TURN
        needed.append(view.round - past)
    values = build_table(key_of(board))
    expected = values.turns(values.road.first + 2, 1, values.key.heat - 1)
    assert -2.0 < mean(needed) - expected < 0.5


def test_tables_are_kept_as_far_as_memory_allows(usa: ValueTable) -> None:
    italy = build_table(key_of("italy"))
    tables = Tables(most_bytes=usa.size + italy.size - 1)
    tables.put(usa)
    assert tables.get(usa.key) is usa
    tables.put(italy)
    assert tables.has(italy.key)
    assert not tables.has(usa.key)
    assert tables.get(usa.key).turns(100, 2, 3) == usa.turns(100, 2, 3)
    assert not tables.has(italy.key)


def test_legends_need_fewer_turns_the_higher_their_level() -> None:
    facts = track_facts("france")
    levels = [LegendSetup(0, False, "red"), LegendSetup(2, False, "red"), LegendSetup(4, True, "red")]
    turns = [legend_turns(facts, 2, (), legend)[facts.spaces] for legend in levels]
    assert turns == sorted(turns, reverse=True)
    assert 15 < turns[2] < turns[0] < 24


def test_chances_of_winning_are_shared_out() -> None:
    near, far = chances_of_winning([1.0, 1.5, 1.0]), chances_of_winning([9.0, 9.5, 9.0])
    assert sum(near) == pytest.approx(1)
    assert near[0] == near[2] > far[0] > far[1] > near[1]
    assert chances_of_winning([float("inf"), 3.0]) == (0.0, 1.0)
    assert chances_of_winning([float("inf")]) == (0.0,)


def test_heat_of_an_upgrade_is_heat_of_the_car() -> None:
    plain, hot = key_of("usa", upgrades=("rpm-1",)), key_of("usa", upgrades=("heat-basic",))
    assert hot.heat == plain.heat + 1
    assert HEAT not in hot.deck
