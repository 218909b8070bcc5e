"""What weather and road tokens do in the race: in sectors and at corners.

docs/rules.md: Weather and road tokens.
"""

from __future__ import annotations

import pytest

from heat_core.data.weather import RoadName, SectorEffect, WeatherName
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import RULEBOOK, STANDARD, WeatherSectors
from heat_core.race.state import Race
from heat_core.rules.sectors import sector_effects
from heat_core.view.forecast import forecast_cards, forecast_end_of_react, forecast_symbol
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from tests.core.support import track
from tests.core.support_turns import (
    begin,
    leave_react,
    place_of,
    play_directly,
    refusal,
    refused_use,
    reveal,
    slipstream_choice,
    space,
    speed,
    symbol,
    use,
)

PLAIN = "overheat - - -"
"""Roads of the USA by which no sector has a token of its own."""


def observation(race: Race) -> Observation:
    return Observation(public_setup(race.setup), view_race(race, 0))


# where effects are


USA: tuple[RoadName, ...] = ("limit-1", "weather", "free-boost", "overheat")


@pytest.mark.parametrize(
    ("board", "roads", "where", "expected"),
    [
        ("usa", USA, "free", ("no_slipstream", "no_slipstream", "free-boost", "no_slipstream")),
        ("usa", USA, "tokens", (None, "no_slipstream", "free-boost", None)),
        ("usa", (), "free", ("no_slipstream",) * 4),
        ("usa", (), "tokens", (None,) * 4),
        (
            "japan",
            ("free-boost", None, "slipstream+1", "limit+1", "weather"),
            "free",
            (None, "free-boost", "slipstream+1", "no_slipstream", "no_slipstream"),
        ),
        (
            "japan",
            ("weather", None, "slipstream+1", "limit+1", "overheat"),
            "tokens",
            (None, "no_slipstream", "slipstream+1", None, None),
        ),
        (
            "japan",
            ("overheat", None, "slipstream+1", "limit+1", "overheat"),
            "free",
            (None, "no_slipstream", "slipstream+1", "no_slipstream", "no_slipstream"),
        ),
    ],
)
def test_the_preset_says_in_which_sectors_the_weather_acts_and_chicanes_have_theirs_behind_both_lines(
    board: str,
    roads: tuple[RoadName | None, ...],
    where: WeatherSectors,
    expected: tuple[SectorEffect | None, ...],
) -> None:
    assert sector_effects(track(board), roads, "fog", where) == expected


def test_without_weather_a_weather_token_does_nothing() -> None:
    roads: tuple[RoadName, ...] = ("weather", "free-boost", "weather", "limit-1")
    assert sector_effects(track("usa"), roads, None, "free") == (None, "free-boost", None, None)


@pytest.mark.spec("WEATHER-2")
@pytest.mark.parametrize(
    ("token", "limit", "owed", "here"),
    [
        ("limit-1", 2, 3, "cooldown+1"),
        ("limit+1", 4, 1, "cooldown+1"),
        ("overheat", 3, 3, "cooldown+1"),
        ("free-boost", 3, 2, "free-boost"),
        ("slipstream+1", 3, 2, "slipstream+1"),
        ("weather", 3, 2, "cooldown+1"),
    ],
)
def test_a_road_token_changes_its_corner_or_the_sector_behind_it(
    token: str, limit: int, owed: int, here: str
) -> None:
    race = begin(
        "lap 1 space 30 gear 2 hand 4 1 draw 3 3", weather="snow", roads=f"- {token} - -", garage="none"
    )
    reveal(race, "4", "1")
    assert space(race) == 35
    effect = sector_effects(race.track, race.roads, race.weather, race.rules.weather_sectors)[1]
    assert effect == here
    events = leave_react(race)
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (bill.limit, bill.owed) == (limit, owed)


# no cooldown


def test_where_there_is_no_cooldown_nothing_cools_but_super_cool_works() -> None:
    race = begin(
        {
            "ana": "lap 1 space 20 gear 2 engine 2 hand cooling-3 sponsor-6 heat draw 1 discard heat heat",
            "ben": "lap 1 space 30 hand 1 1",
        },
        weather="clouds",
    )
    reveal(race, "cooling-3", "sponsor-6")
    for source in ("gear", "cooling-3", "adrenaline"):
        assert refused_use(race, "cooldown", source) == "There is no cooldown in this sector."
    use(race, "super_cool", "sponsor-6")
    assert race.seat(0).engine == 4


def test_cooldown_works_again_once_the_car_has_moved_out_of_the_sector() -> None:
    race = begin(
        {
            "ana": "lap 1 space 30 gear 1 hand 3 1 heat engine 2 draw 1",
            "ben": "lap 1 space 40 hand 1 1",
        },
        weather="clouds",
        roads="weather free-boost - -",
        garage="none",
        rules=RULEBOOK,
    )
    reveal(race, "3")
    assert refused_use(race, "cooldown", "gear") == "There is no cooldown in this sector."
    use(race, "speed", "adrenaline")
    assert space(race) == 34
    use(race, "cooldown", "gear")
    assert race.seat(0).engine == 3


# cooldown + 1


def test_a_sector_symbol_is_won_by_moving_in_and_lost_by_moving_on() -> None:
    race = begin(
        {
            "ana": "lap 1 space 27 gear 3 engine 4 hand 2 1 rpm-5 gas-3 heat draw 4 2 2 1",
            "ben": "lap 1 space 50 hand 1 1",
        },
        on="gb",
        weather="rain",
        roads="free-boost weather overheat limit-1 limit+1",
        rules=RULEBOOK,
        garage="mixed",
    )
    reveal(race, "1", "2", "rpm-5")
    assert space(race) == 31
    assert symbol(race, "cooldown", "sector").most == 1
    use(race, "heat", "rpm-5")
    use(race, "boost", "gear")
    use(race, "speed", "adrenaline")
    assert space(race) == 36
    assert symbol(race, "cooldown", "sector").most == 1, "still in the sector"
    play_directly(race, "gas-3", 3)
    assert space(race) == 39
    assert refused_use(race, "cooldown", "sector") == "Your car has left the sector that it belongs to."


def test_moving_in_phase_5_wins_the_symbol_of_each_sector_that_the_car_comes_to() -> None:
    race = begin(
        {
            "ana": "lap 1 space 46 gear 4 engine 3 hand 2 3 1 1 gas-3 heat heat draw 3 2 1 4",
            "ben": "lap 1 space 60 hand 1 1",
        },
        weather="rain",
        roads=PLAIN,
    )
    reveal(race, "2", "3", "1", "1")
    assert space(race) == 53
    first = place_of(race, "cooldown", "sector")
    use(race, "cooldown", "sector")
    use(race, "boost", "gear")
    use(race, "speed", "adrenaline")
    assert space(race) == 57
    assert place_of(race, "cooldown", "sector") == first, "the same sector has no second one"
    play_directly(race, "gas-3", 3)
    assert space(race) == 60
    second = place_of(race, "cooldown", "sector")
    assert second != first
    use(race, "cooldown", "sector")
    assert symbol(race, "cooldown", "sector").is_used


# free boost


def test_a_boost_is_free_in_its_sector_with_an_empty_engine_and_still_one_a_turn() -> None:
    race = begin(
        "lap 1 space 30 gear 4 engine 0 hand 2 1 1 start-0 heat heat heat draw 3 4",
        weather="fog",
        roads="- free-boost - -",
        garage="none",
    )
    reveal(race, "2", "1", "1", "start-0")
    assert (space(race), symbol(race, "boost", "gear").heat) == (34, 0)
    forecast = forecast_symbol(observation(race), place_of(race, "boost", "gear"), 1)
    assert forecast.heat == 0
    events = use(race, "boost", "gear")
    assert not any(isinstance(event, e.HeatPaid) for event in events)
    assert (speed(race), race.seat(0).engine) == (7, 0)
    assert refused_use(race, "boost", "gear") == "The boost of the gear has been used."


def test_a_boost_outside_its_sector_costs_heat() -> None:
    race = begin(
        "lap 1 space 14 gear 4 engine 0 hand 2 1 1 start-0 draw 3 4 heat",
        weather="fog",
        roads="- free-boost - -",
        garage="none",
    )
    reveal(race, "2", "1", "1", "start-0")
    assert refused_use(race, "boost", "gear") == "Your engine has no Heat."


# slipstream


def test_no_slipstream_may_start_where_there_is_none_but_one_may_go_in() -> None:
    cars = {"ana": "lap 1 space 20 gear 1 hand 3 1 draw 1", "ben": "lap 1 space 23 gear 1 hand 1 1 draw 1"}
    race = begin(cars, weather="fog", roads=PLAIN, garage="none")
    reveal(race, "3")
    assert (space(race), space(race, 1)) == (23, 24)
    events = step(race, 0, c.EndReact())
    assert not any(isinstance(event, e.DecisionsOpened) and event.kind == "slipstream" for event in events)
    cars = {"ana": "lap 1 space 29 gear 1 hand 3 1 draw 1", "ben": "lap 1 space 32 gear 1 hand 1 1 draw 1"}
    race = begin(cars, weather="fog", roads="free-boost - - -", garage="none")
    reveal(race, "3")
    step(race, 0, c.EndReact())
    step(race, 0, c.Slipstream(2))
    assert space(race) == 34


@pytest.mark.parametrize(
    ("weather", "roads", "spaces"),
    [
        ("storm", PLAIN, (0, 2, 4)),
        ("fog", "slipstream+1 - - -", (0, 2, 3)),
        ("storm", "slipstream+1 - - -", (0, 2, 3)),
    ],
)
def test_a_sector_may_let_a_slipstream_go_further(
    weather: WeatherName, roads: str, spaces: tuple[int, ...]
) -> None:
    cars = {"ana": "lap 1 space 20 gear 1 hand 3 1 draw 1", "ben": "lap 1 space 23 gear 1 hand 1 1 draw 1"}
    race = begin(cars, weather=weather, roads=roads, garage="none")
    reveal(race, "3")
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == spaces
    assert slipstream_choice(race).ends == tuple(race.cars[0].progress + further for further in spaces)
    assert refusal(race, c.Slipstream(1)) == "A slipstream of 1 spaces is not possible."


# corners


@pytest.mark.spec("WEATHER-4")
def test_tokens_act_as_symbols_and_as_lines_of_the_same_bill() -> None:
    race = begin(
        {
            "ana": "lap 1 space 50 gear 2 engine 4 hand tyres-1 rpm-1 heat draw 1 2",
            "ben": "lap 1 space 53 gear 1 hand 1 1 draw 1",
        },
        weather="rain",
        roads="slipstream+1 - - limit+1",
    )
    events = reveal(race, "tyres-1", "rpm-1")
    gained = [
        (item.kind, item.number)
        for event in events
        if isinstance(event, e.SymbolsGained) and event.seat == 0
        for item in event.symbols
        if item.source == "sector"
    ]
    assert gained == [("cooldown", 1)], "a sector's cooldown is a symbol of the turn's list"
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == (0, 2, 4)
    events = step(race, 0, c.Slipstream(4))
    assert not any(isinstance(event, e.CornerChecked) for event in events), "57 is before the line"
    race = begin(
        "lap 1 space 55 gear 2 engine 4 hand tyres-1 rpm-1 draw 1 2", weather="rain", roads="- - - limit+1"
    )
    reveal(race, "tyres-1", "rpm-1")
    events = leave_react(race)
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert [(part.rule, part.amount) for part in bill.limit_parts] == [
        ("printed limit", 2),
        ("road token", 1),
        ("adjust", -1),
    ]


def test_overheat_asks_for_one_more_only_where_heat_is_owed() -> None:
    for card, owed in (("4", 2), ("3", 0)):
        race = begin(
            f"lap 1 space 32 gear 1 engine 4 hand {card} 1 draw 1 2",
            weather="fog",
            roads="- overheat - -",
            garage="none",
        )
        reveal(race, card)
        (bill,) = [event for event in leave_react(race) if isinstance(event, e.CornerChecked)]
        assert (bill.owed, race.seat(0).engine) == (owed, 4 - owed)


def test_overheat_can_be_what_spins_a_car_out() -> None:
    race = begin(
        "lap 1 space 32 gear 1 engine 1 hand 4 1 draw 1 2 discard heat heat",
        weather="fog",
        roads="- overheat - -",
        garage="none",
    )
    reveal(race, "4")
    events = leave_react(race)
    assert any(isinstance(event, e.SpunOut) for event in events)
    assert (space(race), race.seat(0).engine) == (33, 0)


def test_a_chicanes_token_changes_both_lines() -> None:
    race = begin(
        "lap 1 space 8 gear 2 engine 7 hand 4 3 draw 1 2",
        on="japan",
        weather="fog",
        roads="limit-1 - - -",
        garage="none",
    )
    reveal(race, "4", "3")
    bills = [event for event in leave_react(race) if isinstance(event, e.CornerChecked)]
    assert [(bill.corner, bill.limit, bill.owed) for bill in bills] == [(0, 3, 4), (1, 3, 4)]


def test_legends_read_the_limit_with_its_token() -> None:
    speeds = []
    for token in ("limit-1", "-", "limit+1"):
        race = begin(
            {
                "ana": "lap 1 space 20 hand 1 1 draw 1",
                "ben": "lap 1 space 31 legend easy helmet black",
            },
            weather="fog",
            roads=f"- {token} - -",
            garage="none",
        )
        events = step(race, 0, c.PlayCards(("1",)))
        (moved,) = [event for event in events if isinstance(event, e.LegendMoved)]
        assert moved.case == "A"
        speeds.append(moved.speed)
    assert (speeds[1] - speeds[0], speeds[2] - speeds[1]) == (1, 1)


def test_forecasts_know_tokens_and_say_what_then_happens() -> None:
    race = begin(
        "lap 1 space 31 gear 2 engine 6 hand tyres-1 4 draw 1 2",
        weather="fog",
        roads="- limit-1 overheat -",
        rules=STANDARD,
    )
    forecast = forecast_cards(observation(race), ("tyres-1", "4"))
    assert forecast.is_certain
    (bill,) = forecast.slowest.bills
    assert (bill.limit, bill.owed) == (1, 5)
    reveal(race, "tyres-1", "4")
    again = forecast_end_of_react(observation(race)).slowest
    assert again.bills == forecast.slowest.bills
    (checked,) = [event for event in leave_react(race) if isinstance(event, e.CornerChecked)]
    assert (checked.limit, checked.owed) == (bill.limit, bill.owed)
    assert race.seat(0).engine == forecast.slowest.engine_left


def test_a_forecast_promises_no_slipstream_where_none_may_start() -> None:
    cars = {"ana": "lap 2 space 20 gear 1 hand 3 1 draw 1", "ben": "lap 1 space 23 gear 1 hand 1 1 draw 1"}
    ends: dict[WeatherName, int | None] = {"fog": None, "storm": 2 * 69 + 25}
    for weather, end in ends.items():
        race = begin(cars, weather=weather, garage="none", laps=3)
        assert forecast_cards(observation(race), ("3",)).slowest.slipstream_end == end
