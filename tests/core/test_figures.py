"""The figures of a race, read from its events alone: each on a small position with a known answer."""

from __future__ import annotations

from collections import Counter

import pytest

from heat_core.engine import start_race, step
from heat_core.files import track_names
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply, fold
from heat_core.race.cars import Seat
from heat_core.race.events import Part
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import Modules, RaceSetup
from heat_core.race.state import Race, new_race
from heat_core.record.figures import RaceFigures, race_figures
from heat_core.record.record import decode_record, encode_record
from heat_core.season.setup import YEARS, make_season, plan_year
from heat_core.season.state import Season
from heat_core.simulation import make_cars, make_table, play_out
from heat_core.view.secrecy import public_setup, view_event
from tests.core.seasons import race_on
from tests.core.support import RandomPlay, pass_all, play, position, setup_of, track, track_facts
from tests.core.support_turns import begin, reveal

BEN = "lap 1 space 10 gear 1 hand start-0 2 3 draw 4 4 4"


def figures_after(race: Race, *commands: c.Command, cards: tuple[str, ...]) -> RaceFigures:
    """Let ben stand still and ana play cards, then answer what she is asked."""
    events = step(race, 1, c.PlayCards(("start-0",))) + play(race, *cards)
    if 1 in race.open:
        events += pass_all(race, (1,))
    for command in commands:
        events += step(race, 0, command)
    return race_figures(race.setup, events)[0]


def test_a_turn_is_counted() -> None:
    """Worked turn 1: speed 9 over a limit of 3."""
    race = position({"ana": "lap 1 space 30 gear 3 engine 6 hand 4 3 2 1 draw 1 1 2 2", "ben": BEN})
    told = figures_after(race, c.EndReact(), cards=("4", "3", "2"))
    assert (told.rounds, told.top_speed, told.heat_paid, told.corners_pressed) == (1, 9, 6, 1)
    assert (told.spin_outs, told.slipstreams) == (0, 0)


def test_the_speed_of_a_card_that_could_not_be_paid_is_no_top_speed() -> None:
    """8 + 4 would have been 12; a flip of 1 in place of the 8 makes 5.

    docs/rules.md: Heat that cannot be paid.
    """
    race = begin("lap 1 space 40 gear 2 engine 0 hand turbo-2 4 draw 1 1 1")
    events = reveal(race, "turbo-2", "4") + step(race, 0, c.EndReact())
    events += step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert race_figures(race.setup, events)[0].top_speed == 5


@pytest.mark.parametrize(
    ("cards", "pressed", "heat"), [(("4",), 0, 1), (("4", "1"), 1, 2), (("4", "start-5"), 1, 6)]
)
def test_a_corner_is_pressed_from_two_above_its_limit_on(
    cards: tuple[str, ...], pressed: int, heat: int
) -> None:
    """USA, the line after 33 has limit 3."""
    words = f"lap 1 space 32 gear {len(cards)} engine 6 hand 4 1 start-5 draw 1 1 2 2"
    told = figures_after(position({"ana": words, "ben": BEN}), c.EndReact(), cards=cards)
    assert (told.corners_pressed, told.heat_paid) == (pressed, heat)


def test_heat_of_shift_boost_and_corner_is_summed_up() -> None:
    """1 for two gears, 1 for a boost that flips 4, and 7 - 3 at the corner."""
    words = "lap 1 space 30 gear 1 engine 6 hand 2 1 start-0 4 draw 4 1 2 2 discard 1"
    race = position({"ana": words, "ben": BEN}, phase="shift", rules=PRESETS["rulebook"])
    events = step(race, 0, c.ShiftGear(3)) + step(race, 1, c.ShiftGear(1))
    events += step(race, 1, c.PlayCards(("start-0",))) + play(race, "2", "1", "start-0")
    boost = next(
        number
        for number, symbol in enumerate(race.turn.symbols if race.turn else ())
        if symbol.kind == "boost"
    )
    events += step(race, 0, c.UseSymbol(boost, 1)) + step(race, 0, c.EndReact())
    told, _ = race_figures(race.setup, events)
    assert (told.top_speed, told.heat_paid) == (7, 1 + 1 + 4)
    assert told.spin_outs == 0


def test_a_slipstream_counts_and_what_it_crosses_is_pressed_at_any_speed() -> None:
    """Worked turn 4: over the line after 49 at speed 2."""
    for ahead, end in ((2, 1), (0, 0)):
        race = position(
            {
                "ana": "lap 1 space 47 gear 1 engine 6 hand 2 3 draw 1 1 2 2",
                "ben": "lap 1 space 50 gear 1 hand start-0 2 3 draw 4 4 4",
            }
        )
        told = figures_after(race, c.EndReact(), c.Slipstream(ahead), cards=("2",))
        assert (told.slipstreams, told.corners_pressed, told.heat_paid) == (end, end, 0)
        assert told.top_speed == 2


@pytest.mark.parametrize(
    ("board", "space", "cards", "ahead", "pressed"),
    [
        ("gb", 42, ("4", "2"), 49, 2),  # after 43 by speed, after 48 in the slipstream
        ("mexico", 47, ("4",), 51, 1),  # after 51 both by speed and in the slipstream
        ("mexico", 43, ("4", "2"), 50, 1),  # after 44 by speed; after 50 the first line of a chicane
    ],
)
def test_a_corner_is_pressed_once_however_it_was(
    board: str, space: int, cards: tuple[str, ...], ahead: int, pressed: int
) -> None:
    race = position(
        {
            "ana": f"lap 1 space {space} gear {len(cards)} engine 6 hand 4 2 draw 1 1 2 2",
            "ben": f"lap 1 space {ahead} gear 1 hand start-0 2 3 draw 4 4 4",
        },
        on=board,
    )
    told = figures_after(race, c.EndReact(), c.Slipstream(2), cards=cards)
    assert (told.slipstreams, told.spin_outs, told.corners_pressed) == (1, 0, pressed)


def test_none_is_pressed_in_a_turn_with_a_spin_out_and_those_of_other_turns_stay() -> None:
    """Italy: the line after 19 at limit 2 is paid for, the one after 26 at limit 3 is not."""
    race = position(
        {
            "ana": "lap 1 space 18 gear 3 engine 7 hand 4 3 2 draw 1 1 2 2",
            "ben": "lap 1 space 1 gear 1 hand start-0 2 3 draw 4 4 4",
        },
        on="italy",
    )
    told = figures_after(race, c.EndReact(), cards=("4", "3", "2"))
    assert (told.spin_outs, told.corners_pressed, told.heat_paid) == (1, 0, 7)
    once: list[e.Event] = [
        e.TurnStarted(0),
        e.CornerChecked(0, 73, 1, 4, 2, (Part("printed limit", 2),), 2, 2),
        e.TurnStarted(0),
        e.CornerChecked(0, 127, 1, 4, 2, (Part("printed limit", 2),), 2, 2),
        e.CornerChecked(0, 134, 2, 4, 3, (Part("printed limit", 3),), 1, 0),
        e.SpunOut(0, 134, 135, 134, 0, 1),
    ]
    assert race_figures(race.setup, once)[0].corners_pressed == 1


def test_of_a_chicane_only_the_second_line_is_pressed_and_any_corner_once_a_turn() -> None:
    firsts: dict[str, list[int]] = {}
    for name in track_names():
        for corner, printed in enumerate(track_facts(name).corners):
            crossed = e.CornerChecked(0, 70, corner, 99, 4, (Part("printed limit", printed.limit),), 0, 0)
            if not race_figures(setup_of(name), [e.TurnStarted(0), crossed])[0].corners_pressed:
                firsts.setdefault(name, []).append(corner)
    assert firsts == {"japan": [0], "mexico": [0, 4], "spain": [2, 8], "netherlands": [0]}
    setup = setup_of("japan")
    fast = (Part("printed limit", 4),)
    lines = ((70, 0), (72, 1), (130, 0), (132, 1))
    events: list[e.Event] = [e.TurnStarted(0)]
    events += [e.CornerChecked(0, line, corner, 9, 4, fast, 5, 5) for line, corner in lines]
    assert race_figures(setup, events)[0].corners_pressed == 1


def test_road_tokens_count_in_the_limit_and_adjust_symbols_do_not() -> None:
    for rule, amount, speed, pressed in (
        ("road token", 1, 6, True),
        ("road token", 1, 5, False),
        ("adjust", 2, 5, True),
        ("adjust", -2, 4, False),
        ("road token", -9, 2, True),
    ):
        parts = (Part("printed limit", 3), Part(rule, amount))
        checked = e.CornerChecked(0, 102, 1, speed, max(0, 3 + amount), parts, 0, 0)
        (ana, _) = race_figures(setup_of("usa"), [e.TurnStarted(0), checked])
        assert ana.corners_pressed == pressed


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("year", YEARS)
def test_in_a_championship_the_corners_pressed_are_those_that_gained_sponsorships(
    year: int, preset: PresetName
) -> None:
    """By the rulebook at the corners of the event card only, with smile-and-wave by slow cars."""
    cars, drivers = make_cars(["steady"] * 6)
    modules = Modules(sponsorships=True)
    setup = make_season(
        plan_year(year, track_facts, 1), cars, seed="press", rules=PRESETS[preset], modules=modules
    )
    season = Season(setup, drivers)
    for table in race_on(season):
        turn, gained = 0, set()
        for event in table.log:
            turn += isinstance(event, e.TurnStarted)
            if isinstance(event, e.SponsorshipGained) and event.corner is not None:
                gained.add((event.seat, turn, event.corner))
        counted = Counter(seat for seat, _, _ in gained)
        told = {car: one.corners_pressed for car, one in enumerate(race_figures(table.setup, table.log))}
        assert fold(table.setup, table.log).sponsorship_deck, "one was left for each"
        assert told == {car: counted[car] for car in range(6)}, table.setup.modules.event


def test_a_cluttered_hand_is_a_round_without_speed() -> None:
    words = "lap 1 space 30 gear 4 engine 0 hand heat heat heat heat heat heat heat draw 1 2 3 4"
    told = figures_after(position({"ana": words, "ben": BEN}), cards=())
    assert told == RaceFigures(rounds=1, progress=[0])


def test_giving_up_ends_a_cars_rounds_and_is_its_status() -> None:
    setup = make_position(track_facts("usa"), {"ana": "lap 1 space 30", "ben": BEN, "cy": "lap 1 space 5"})
    race, events = start_race(setup)
    events += pass_all(race) + step(race, 0, c.GiveUp()) + pass_all(race)
    ana, ben, _ = race_figures(setup, events)
    assert (ana.rounds, ben.rounds, ana.status, ana.place) == (1, 2, None, 0)
    events += step(race, 1, c.GiveUp()) + step(race, 2, c.GiveUp())
    told = race_figures(setup, events)
    assert [car.status for car in told] == ["gave_up"] * 3
    assert [car.place for car in told] == [3, 2, 1]


@pytest.mark.spec("RACE-7")
@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", ["usa", "mexico", "japan"])
def test_whole_races_count_what_the_state_says_the_same_from_a_record_and_for_every_onlooker(
    board: str, preset: PresetName
) -> None:
    """Finishing order and figures stand in the record; what the race's state knows too agrees with them."""
    drivers = ["steady", "random", "random", "legend:medium", "legend:hard"]
    table = make_table(track_facts(board), 1, drivers, PRESETS[preset], f"figures/{board}")
    play_out(table)
    setup = table.setup
    race = fold(setup, table.log)
    record = decode_record(encode_record(setup, table.log, "0"))
    figures = race_figures(record.setup, record.events)
    for onlooker in (None, 0, 1):
        masked = [view_event(event, onlooker) for event in table.log]
        assert race_figures(public_setup(setup), masked) == figures
    assert [figures[standing.car].place for standing in race.standings] == [1, 2, 3, 4, 5]
    assert [figures[standing.car].status for standing in race.standings] == [
        standing.status for standing in race.standings
    ]
    for number, car in enumerate(race.cars):
        assert len(figures[number].progress) == race.round
        assert figures[number].progress[-1] == car.progress
        rounds_driven = sum(
            1 for event in table.log if isinstance(event, e.TurnStarted) and event.car == number
        )
        assert figures[number].rounds == rounds_driven <= race.round
    assert counted_from_states(setup, table.log) == [
        (told.heat_paid, told.spin_outs, told.slipstreams) for told in figures
    ]
    assert all((told.heat_paid, told.corners_pressed) == (0, 0) for told in figures[3:])


def counted_from_states(setup: RaceSetup, events: list[e.Event]) -> list[tuple[int, int, int]]:
    """Count a second way: what left the engines, who went backwards, who moved in phase 6."""
    race = new_race(setup)
    told = [[0, 0, 0] for _ in race.cars]
    for event in events:
        before = race.copy()
        apply(race, event)
        for counts, then, now in zip(told, before.cars, race.cars, strict=True):
            if isinstance(then, Seat) and isinstance(now, Seat):
                counts[0] += max(0, then.engine - now.engine)
            counts[1] += now.progress < then.progress
            counts[2] += before.phase is Phase.SLIPSTREAM and now.progress > then.progress
    return [(heat, spins, slips) for heat, spins, slips in told]


def test_a_car_that_has_not_moved_stands_on_its_place_of_the_grid() -> None:
    """Told as lap 0, where all give up in the first round."""
    setup = setup_of("usa", seats=2, seed="grid")
    race, events = start_race(setup)
    for seat in (0, 1):
        events += step(race, seat, c.GiveUp())
    told = race_figures(setup, events)
    assert [car.progress for car in told] == [[race.cars[0].progress], [race.cars[1].progress]]
    assert {track("usa").lap(car.progress[-1]) for car in told} == {0}


def test_a_race_from_a_position_is_counted_from_where_it_began() -> None:
    """Where the cars stood at first is no round's end, and where one does not move it stays."""
    race = position({"ana": "lap 1 space 30 gear 1 hand 1 1 2 draw 4 4", "ben": BEN}, round=5)
    begun = start_race(race.setup)[1]
    events = [*begun, *step(race, 0, c.PlayCards(("1",))), *step(race, 1, c.PlayCards(("start-0",)))]
    events += pass_all(race)
    assert race.round == 6
    ana, ben = race_figures(race.setup, events)
    assert (ana.progress, ben.progress) == ([69 + 31], [69 + 10])


def test_nothing_is_counted_twice_when_a_race_is_read_as_it_grows() -> None:
    game = RandomPlay(setup_of(seats=2, legends=1, laps=1, seed="grow"), "grow")
    before = race_figures(game.setup, game.events)
    assert before == [RaceFigures()] * 3
    while game.race.status != "ended":
        game.step()
        after = race_figures(game.setup, game.events)
        for then, now in zip(before, after, strict=True):
            assert now.rounds >= then.rounds
            assert now.heat_paid >= then.heat_paid
            assert now.progress[: len(then.progress)] == then.progress
        before = after
