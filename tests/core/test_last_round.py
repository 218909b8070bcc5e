"""The end of a race: its last round by mixed rules, a corner line on the finish line, and why it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.data.event_cards import EVENTS
from heat_core.engine import start_race, step
from heat_core.files import read_track_file
from heat_core.positions.position import make_position
from heat_core.race import events as e
from heat_core.race.commands import GiveUp
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import Modules
from heat_core.race.state import Race
from heat_core.track_facts import Corner, TrackFacts
from heat_core.view.forecast import forecast_cards
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from tests.core.support import least_command, pass_all, play, position, track_facts

BOTH = pytest.mark.parametrize("preset", list(PRESETS))
OVAL = Path(__file__).parents[2] / "examples" / "oval.json"


@BOTH
@pytest.mark.parametrize("first", [0, 1, 2])
def test_where_each_car_has_its_own_phases_8_and_9_all_are_asked_them_in_the_last_round(
    preset: PresetName, first: int
) -> None:
    """Whoever finishes, first to drive or last: before that nobody knows that the round is the last."""
    rules = replace(PRESETS[preset], discards="each", race_end="first_finisher")
    slow = "gear 1 hand 1 2 2 3 3 draw 1 1 2 3"
    spaces = [66, 64] if first == 2 else [66, 50] if first else [50, 40]
    cars = [f"lap 1 space {space} {slow}" for space in spaces]
    cars.insert(first, "lap 1 space 58 gear 4 hand 3 4 4 4 draw 1 1 1 2")
    race = position(dict(zip(("ana", "ben", "cy"), cars, strict=True)), rules=rules, laps=1)
    events = pass_all(race)
    assert race.turn_order[first] == first
    assert (race.end, race.seat(first).status) == ("finished", "finished")
    opened = [event for event in events if isinstance(event, e.DecisionsOpened)]
    others = [seat for seat in (0, 1, 2) if seat != first]
    assert [event.seats for event in opened if event.kind == "discard"] == [(seat,) for seat in others]
    assert [event.seat for event in events if isinstance(event, e.CardsDrawn)] == others


@pytest.mark.spec("RACE-9")
@pytest.mark.parametrize(
    ("spinning", "quitting", "reason"),
    [((), (0, 1), "gave_up"), ((0, 1), (), "spun_out"), ((0,), (1,), "gave_up_or_spun_out")],
)
def test_the_reason_that_is_told_when_nobody_drives_any_more_is_the_true_one(
    spinning: tuple[int, ...], quitting: tuple[int, ...], reason: str
) -> None:
    """RULES, Finish: all gave up, all are out, or both; a Legend that races on changes nothing in that."""
    event = next(name for name, facts in EVENTS.items() if facts.spin_out_ends_race)
    wild, calm = "gear 4 engine 0 hand 3 4 4 4 draw 1 1", "gear 1 engine 0 hand 1 1 2 2 3 3 4"
    cars = {
        name: f"lap 1 space {10 - seat} {wild if seat in spinning else calm}"
        for seat, name in enumerate(("ana", "ben"))
    }
    cars["leg"] = "lap 1 space 30 legend easy"
    setup = make_position(track_facts("usa"), cars, phase="play", modules=Modules(event=event))
    race, _ = start_race(setup)
    while race.end is None:
        seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
        leaves = seat in quitting and all(race.seat(other).status == "spun_out" for other in spinning)
        step(race, seat, GiveUp() if leaves else least_command(race, seat))
    assert race.end == reason


def board() -> TrackFacts:
    """Make the oval with a third corner, whose line lies on the finish line."""
    facts = read_track_file(OVAL)
    return replace(facts, corners=(*facts.corners, Corner(facts.spaces, 3, 29, "right")))


def on_the_board(cars: dict[str, str], preset: PresetName, laps: int = 1) -> Race:
    setup = make_position(board(), cars, phase="play", laps=laps, rules=PRESETS[preset])
    return start_race(setup)[0]


@BOTH
def test_a_corner_line_on_the_finish_line_counts_in_the_last_lap(preset: PresetName) -> None:
    """Heat is owed for it as in any lap; the next corner line lies behind the finish and does not count."""
    slow = "lap 1 space 1 gear 1 hand 1 2 3"
    cars = {"ana": "lap 1 space 31 gear 4 engine 5 hand 1 2 3 2 draw 4 4 4 3", "ben": slow}
    race = on_the_board(cars, preset)
    observation = Observation(public_setup(race.setup), view_race(race, 0))
    told = forecast_cards(observation, ("1", "2", "2", "3")).slowest
    assert [(bill.line, bill.limit, bill.owed) for bill in told.bills] == [(64, 3, 5)]
    assert told.finishes
    events = play(race, "1", "2", "2", "3") + pass_all(race)
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked) and event.seat == 0]
    assert (bill.line, bill.corner, bill.speed, bill.owed, bill.paid) == (64, 2, 8, 5, 5)
    assert e.CarFinished(0) in events


@BOTH
def test_a_spin_out_at_a_corner_line_on_the_finish_line_leads_back_before_it(preset: PresetName) -> None:
    cars = {
        "ana": "lap 1 space 31 gear 4 engine 0 hand 1 2 3 2 draw 4 4 4 3",
        "ben": "lap 1 space 1 gear 1 hand 1 2 3",
    }
    race = on_the_board(cars, preset)
    events = play(race, "1", "2", "2", "3") + pass_all(race)
    (spun,) = [event for event in events if isinstance(event, e.SpunOut)]
    assert (spun.line, spun.end) == (64, 64)
    assert race.seat(0).status == "racing"
    assert not [event for event in events if isinstance(event, e.CarFinished)]


@BOTH
def test_a_legend_minds_a_corner_line_on_the_finish_line_in_the_last_lap(preset: PresetName) -> None:
    """From before its Legends line it stops; another lap's finish would have let it go on."""
    cars = {"ana": "lap 1 space 1 gear 1 hand 1 2 3", "leg": "lap 1 space 26 legend easy"}
    race = on_the_board(cars, preset)
    events = play(race, "1") + pass_all(race)
    (moved,) = [event for event in events if isinstance(event, e.CarMoved) and event.car == 1]
    assert 26 + 32 < moved.end <= 64
    assert race.cars[1].status == "racing"
