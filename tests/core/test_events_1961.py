"""The event cards of 1961 and 1963: each special rule with its awkward case. docs/rules.md: Events."""

from __future__ import annotations

import pytest

from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.rules.order import standings
from tests.core.support_events import FOURS, SLOW, gains, pass_on, play_round
from tests.core.support_turns import (
    FAR,
    begin,
    leave_react,
    reveal,
    space,
    speed,
    use,
)

# 1961


def test_grandstand_rewards_the_first_three_cars_and_a_legend_uses_up_a_place() -> None:
    race = begin(
        {
            "ana": f"lap 1 space 62 {SLOW}",
            "ben": f"lap 1 space 61 {SLOW}",
            "cy": f"lap 1 space 60 {SLOW}",
            "max": "lap 1 space 63 legend easy",
        },
        on="gb",
        event="grandstand",
        laps=2,
    )
    events = play_round(race, "4")
    laps = [(event.car, event.lap) for event in events if isinstance(event, e.LapCompleted)]
    assert laps == [(3, 1), (0, 1), (1, 1), (2, 1)]
    assert gains(events) == [0, 1]
    assert race.first_lap == (3, 0, 1, 2)


def test_grandstand_gives_nothing_in_a_turn_with_a_spin_out_which_uses_up_its_place() -> None:
    race = begin(
        {
            "ana": "lap 1 space 54 gear 4 engine 0 hand 4 4 3 1 draw 1 2",
            "ben": f"lap 1 space 53 {FOURS}",
            "cy": f"lap 1 space 52 {FOURS}",
            "dan": f"lap 1 space 51 {FOURS}",
        },
        on="italy",
        event="grandstand",
    )
    reveal(race, "4", "4", "3", "1")
    events = leave_react(race)
    assert any(isinstance(event, e.SpunOut) for event in events)
    assert gains(events) == []
    events = pass_on(race)
    assert gains(events) == [1, 2]


def test_grandstand_counts_the_first_lap_only() -> None:
    race = begin({"ana": f"lap 2 space 62 {SLOW}", "ben": FAR}, on="gb", event="grandstand", laps=3)
    reveal(race, "4")
    events = leave_react(race)
    assert [event.lap for event in events if isinstance(event, e.LapCompleted)] == [2]
    assert gains(events) == []


@pytest.mark.parametrize(
    ("cards", "engine", "gain"), [("4 4 4 3", 6, True), ("4 4 4 2", 6, False), ("4 4 4 3", 0, False)]
)
def test_speed_record_asks_for_15_without_a_spin_out(cards: str, engine: int, gain: bool) -> None:
    start = 14 if engine else 28
    race = begin(
        f"lap 1 space {start} gear 4 engine {engine} hand {cards} draw 1",
        event="speed-record",
        rules=RULEBOOK,
    )
    reveal(race, *cards.split())
    events = leave_react(race)
    assert any(isinstance(event, e.SpunOut) for event in events) == (engine == 0)
    assert gains(events) == [0] * gain


def test_a_boost_counts_for_the_speed_record() -> None:
    race = begin(
        "lap 1 space 14 gear 4 engine 6 hand 4 4 4 2 draw 1 2",
        event="speed-record",
    )
    reveal(race, "4", "4", "4", "2")
    use(race, "boost", "gear")
    assert speed(race) == 15
    assert gains(leave_react(race)) == [0]


# 1963


@pytest.mark.parametrize(
    ("others", "gain"),
    [
        ((21, 22, 23), True),
        ((21, 22, 22), True),
        ((20, 22, 23), False),  # beside the start
        ((21, 22, 24), False),  # where it ends
        ((21, 22, 40), False),
    ],
)
def test_live_television_asks_for_three_cars_strictly_between(others: tuple[int, ...], gain: bool) -> None:
    cars = {"ana": "lap 2 space 20 gear 1 hand 4 1 draw 1"}
    # They are a lap behind, move after ana, and count by their place on the board.
    cars |= {f"c{number}": f"lap 1 space {place} {SLOW}" for number, place in enumerate(others)}
    race = begin(cars, event="live-television", on="gb", laps=3)
    reveal(race, "4")
    assert space(race) == 24
    events = step(race, 0, c.EndReact())
    if 0 in race.open and race.open[0].kind == "slipstream":
        events += step(race, 0, c.Slipstream(0))
    assert gains(events) == [0] * gain


def test_live_television_counts_a_slipstream_and_a_start_line_between() -> None:
    cars = {"ana": "lap 1 space 62 gear 1 hand 3 1 draw 1"}
    cars |= {"ben": f"lap 1 space 63 {SLOW}", "cy": f"lap 2 space 1 {SLOW}", "dan": f"lap 2 space 2 {SLOW}"}
    race = begin(cars, event="live-television", on="gb", laps=3)
    for number in (1, 2, 3):
        step(race, number, c.PlayCards(("1",)))
    step(race, 0, c.PlayCards(("3",)))
    while race.open.keys() != {0}:
        (seat,) = race.open
        step(race, seat, c.EndReact() if race.open[seat].kind == "react" else c.Slipstream(0))
    assert [space(race, car) for car in range(4)] == [2, 1, 2, 3]
    step(race, 0, c.EndReact())
    assert gains(step(race, 0, c.Slipstream(2))) == [0]
    assert space(race) == 4


def test_sponsor_withdraws_puts_a_car_that_spins_out_out_of_the_race_behind_all() -> None:
    race = begin(
        {
            "ana": "lap 1 space 32 gear 1 engine 0 hand 4 1 draw 1 discard heat heat",
            "ben": "lap 1 space 2 gear 1 hand 1 1 1 draw 2 2 2",
            "cy": "lap 1 space 31 gear 1 engine 0 hand 4 1 draw 1 discard heat heat",
        },
        event="sponsor-withdraws",
    )
    step(race, 1, c.PlayCards(("1",)))
    step(race, 2, c.PlayCards(("4",)))
    step(race, 0, c.PlayCards(("4",)))
    events = step(race, 0, c.EndReact())
    assert [event.reason for event in events if isinstance(event, e.CarOut)] == ["spun_out"]
    assert race.cars[0].status == "spun_out"
    assert race.open.keys() == {2}
    step(race, 2, c.EndReact())
    assert race.open.keys() == {1}
    assert [(item.car, item.place, item.status) for item in standings(race)] == [
        (1, 1, "racing"),
        (2, 2, "spun_out"),
        (0, 3, "spun_out"),
    ]
    assert not any(spot in race.occupied(1) for spot in (33 * 2, 33 * 2 + 1)), "it has left the track"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_race_ends_when_the_last_seat_has_spun_out_of_it(preset: PresetName) -> None:
    race = begin(
        {
            "ana": "lap 1 space 32 gear 1 engine 0 hand 4 1 draw 1 discard heat heat",
            "max": "lap 1 space 20 legend easy",
        },
        event="sponsor-withdraws",
        rules=PRESETS[preset],
    )
    step(race, 0, c.PlayCards(("4",)))
    events = step(race, 0, c.EndReact())
    assert race.phase is Phase.ENDED
    assert isinstance(events[-1], e.RaceEnded)
    assert [(item.car, item.status) for item in race.standings] == [(1, "racing"), (0, "spun_out")]
