"""What is seen while cards turn up and cars drive, one thing after the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT, STRESS
from heat_core.files import load_track
from heat_core.options.table_options import LocalOptions
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.table import Table
from heat_core.track import compile_track
from heat_core.track_facts import Corner
from heat_tui.app import HeatApp
from heat_tui.flow.race_news import News, Unseen
from heat_tui.flow.table_factory import make_table
from heat_tui.flow.turn_replay import Played, TurnReplay, is_shown
from heat_tui.race.enter_guard import REPEAT_SECONDS
from heat_tui.race.presenter import RaceLabels
from heat_tui.widgets.cards import BIG_CARD, SMALL_CARD
from heat_tui.words.line import DANGER, WARN
from heat_tui.words.log import LogLine
from heat_tui.words.wording import next_corner_line, turn_line
from tests.tui.support_app import LARGE, SMALL, until
from tests.tui.support_race import HeldSession, RaceApp, begin, own_decision, picked_in, table_at

CARS = {
    "Ana": f"lap 1 space 20 gear 1 engine 5 hand 1 2 3 4 4 {STRESS} heat draw 1 2 3 4",
    "Ben": f"lap 1 space 46 gear 2 engine 1 hand 1 1 2 2 3 4 {STRESS} draw heat start-0 2 3 1 4",
    "Leg": "lap 1 space 10 legend hard",
}


def turn_replay() -> TurnReplay:
    return TurnReplay(RaceLabels.of(table_at(CARS).setup), compile_track(load_track("usa")))


def told(turn_replay: TurnReplay, events: Sequence[e.Event]) -> list[tuple[float, list[str]]]:
    """Tell events; give the moments that are looked at."""
    moments = []
    for event, following in zip(events, [*events[1:], None], strict=True):
        if seconds := turn_replay.tell(event, following):
            moments.append((seconds, [line.text for line in turn_replay.lines]))
    return moments


def test_gears_turn_up_for_all_at_once() -> None:
    events: list[e.Event] = [
        e.ChoicesTurnedUp("gear"),
        e.GearShifted(0, 1, 3),
        e.HeatPaid(0, 1, "shift", (e.Part("two steps", 1),)),
        e.GearShifted(1, 2, 2),
        e.PhaseEntered(2),
    ]
    ((seconds, lines),) = told(turn_replay(), events)
    assert 0.3 < seconds < 1.5
    assert lines == ["Ana shifts to 3rd · Ben stays in 2nd"]
    assert not told(turn_replay(), [events[0], events[1], events[4]]), "alone nobody is surprised"


def test_a_car_that_spins_out_is_in_1st_gear_from_then_on() -> None:
    shown = turn_replay()
    told(shown, [e.GearShifted(1, 2, 3)])
    assert shown.gears == {1: 3}
    told(shown, [e.SpunOut(1, 49, 52, 49, 0, 1)])
    assert shown.gears == {1: 1}
    shown.open()
    assert shown.gears == {}


def test_gears_of_many_turn_up_in_lines_that_fit() -> None:
    events: list[e.Event] = [e.ChoicesTurnedUp("gear"), *(e.GearShifted(seat % 2, 2, 3) for seat in range(6))]
    ((_, lines),) = told(turn_replay(), events)
    assert " · ".join(lines).count("shifts to 3rd") == 6
    assert len(lines) <= 3
    assert all(len(line) <= 78 for line in lines)


@pytest.mark.spec("BOARD-4")
def test_cards_turn_up_car_by_car_at_the_beginning_of_each_turn() -> None:
    shown = turn_replay()
    events: list[e.Event] = [
        e.TurnOrderFixed((1, 0), ()),
        e.TurnStarted(1),
        e.CardsRevealed(1, ("3", "4")),
        e.SpeedSet(1, 7, (e.Part("3", 3), e.Part("4", 4))),
    ]
    ((seconds, lines),) = told(shown, events)
    assert 0.2 < seconds < 1.0, "short, and over at any key"
    assert lines == ["Ben: 3, 4"]
    assert (shown.title, shown.cards) == ("3 MOVE: Ben", [Played("3"), Played("4")])
    ((_, lines),) = told(shown, [e.TurnStarted(0), e.CardsRevealed(0, ("4",))])
    assert lines == ["Ana: 4"]
    assert (shown.title, shown.cards) == ("3 MOVE: Ana", [Played("4")])


def test_flips_join_the_cards_one_by_one() -> None:
    shown = turn_replay()
    told(shown, [e.TurnStarted(1), e.CardsRevealed(1, ("1", STRESS))])
    assert shown.title == "3 MOVE: Ben"
    assert shown.cards == [Played("1"), Played(STRESS)]
    moments = told(
        shown, [e.CardFlipped(1, HEAT, "card", STRESS, 0), e.CardFlipped(1, "2", "card", STRESS, 2)]
    )
    assert [lines[-1] for _, lines in moments] == [
        "flips Heat for Stress: no Speed card",
        "flips 2 for Stress: counts 2",
    ]
    assert shown.cards[2:] == [Played(HEAT, is_passed_over=True), Played("2")]
    told(shown, [e.SpeedSet(1, 3, (e.Part("1", 1), e.Part(STRESS, 2)))])
    assert shown.lines[0].text == "Ben: 1 + Stress 2 = speed 3"
    told(shown, [e.TurnStarted(0)])
    assert shown.lines == []
    assert shown.cards == []


def test_a_bill_is_told_with_its_sum_and_a_spin_out_in_red() -> None:
    shown = turn_replay()
    bill = e.CornerChecked(1, 49, 2, 6, 3, (e.Part("printed", 3),), 3, 3)
    told(shown, [e.PhaseEntered(7), bill])
    assert shown.lines[-1] == ("corner 3 (limit 3): 6 − 3 = 3 Heat", WARN)
    told(shown, [e.CornerChecked(1, 49, 2, 6, 3, (e.Part("printed", 3),), 3, 1)])
    assert shown.lines[-1] == ("corner 3 (limit 3): 6 − 3 = 3 Heat, pays 1: SPIN-OUT", DANGER)
    told(shown, [e.SpunOut(1, 49, 52, 49, 0, 1)])
    assert shown.lines[-1].text == "back to 49: 1 Stress, 1st gear"
    told(shown, [e.CornerChecked(1, 49, 2, 2, 3, (e.Part("printed", 3),), 0, 0)])
    assert shown.lines[-1].text == "corner 3 (limit 3): free"


def test_legends_and_cluttered_hands_are_told() -> None:
    shown = turn_replay()
    assert told(shown, [e.TurnStarted(2), e.LegendCardTurned(0), e.LegendMoved(2, "B", 14)])
    assert shown.lines[0].text == "Leg: speed 14"
    assert shown.lines[1].text.startswith("Legend card: L ")
    told(shown, [e.TurnStarted(1), e.HandCluttered(1, (HEAT, HEAT, "1"), ("1", HEAT), 2)])
    assert shown.lines[0] == ("Ben: CLUTTERED, the car does not move, 1st gear", DANGER)
    assert shown.cards == [Played("1"), Played(HEAT)]


@pytest.mark.parametrize(
    ("space", "text"),
    [
        (30, "3 spaces left before corner 2 (limit 3)"),
        (32, "1 space left before corner 2 (limit 3)"),
        (33, "corner 2 (limit 3) is right ahead: any move crosses it"),
        (34, "15 spaces left before corner 3 (limit 3)"),
        (60, "21 spaces left before corner 1 (limit 7)"),
    ],
)
def test_the_next_corner_is_named_before_any_card_is_picked(space: int, text: str) -> None:
    cars = {"Ana": f"lap 1 space {space} gear 1 engine 5", "Ben": "lap 1 space 2 gear 1 engine 5"}
    assert next_corner_line(table_at(cars).observation(0)).text == text


def test_in_the_last_lap_the_finish_is_named_where_it_comes_first() -> None:
    cars = {"Ana": "lap 1 space 66 gear 1 engine 5", "Ben": "lap 1 space 2 gear 1 engine 5"}
    told = next_corner_line(table_at(cars, laps=1).observation(0)).text
    assert told == "the finish line is 4 spaces ahead, no corner before it"


def test_a_corner_line_on_the_finish_line_is_named_in_the_last_lap() -> None:
    facts = load_track("usa")
    board = replace(facts, corners=(*facts.corners, Corner(facts.spaces, 3, 66, "right")))
    cars = {"Ana": "lap 1 space 66 gear 1 engine 5", "Ben": "lap 1 space 2 gear 1 engine 5"}
    setup = make_position(board, cars, phase="play", laps=1)
    observation = Table(setup, {0: "human", 1: "human"}).observation(0)
    number = len(board.corners)
    assert next_corner_line(observation).text == f"3 spaces left before corner {number} (limit 3)"


def test_who_waits_reads_how_far_the_turn_of_the_car_that_drives_has_come() -> None:
    table = table_at(CARS)
    names, track = RaceLabels.of(table.setup).names, compile_track(load_track("usa"))
    assert turn_line(table.view(0), names, track) is None
    for seat, cards in ((0, ("1",)), (1, ("4", "3"))):
        table.submit(seat, own_id(table, seat), c.PlayCards(cards))
    line = turn_line(table.view(0), names, track)
    assert line is not None
    assert line.text == "Ben: 3 + 4 = speed 7, on space 53"


def own_id(table: Table, seat: int) -> int | None:
    own = table.view(seat).own
    assert own is not None
    return own.decision


def test_what_only_goes_on_behind_the_scenes_is_not_looked_at() -> None:
    assert not is_shown([e.RoundStarted(2), e.ChoiceMade(0, 3, None), e.CardsDrawn(0, None, 3)])
    assert is_shown([e.RoundStarted(2), e.TurnStarted(0)])


@pytest.mark.asyncio
async def test_who_waits_for_the_own_turn_sees_the_hand_with_the_played_cards_in_it(tmp_path: Path) -> None:
    """Ben drives before: what Ana plays lies face down, marked in her hand; then it is gone from there."""
    app = RaceApp(tmp_path, HeldSession(table_at(CARS), (0,)), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        held = app.session
        assert isinstance(held, HeldSession)
        await pilot.press("4", "enter")
        chosen = app.panel("hand")
        held.other_says(1, c.PlayCards(("1", "2")))
        await until(lambda: app.controller.view.turn is not None)
        await pilot.pause()
        assert app.panel("hand") == chosen
        assert picked_in(app) == 1
        held.others_act()
        await until(lambda: own_decision(app.race) is not None)
        own = app.controller.view.own
        assert own is not None
        assert (own.face_down, app.controller.view.cars[0].played) == ((), ("4",))


@pytest.mark.asyncio
@pytest.mark.spec("DASH-10")
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_flips_of_stress_are_seen_card_by_card(tmp_path: Path, size: tuple[int, int]) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(CARS), (0,)), animate=True)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        held = app.session
        assert isinstance(held, HeldSession)
        await pilot.press("1", "enter")
        held.other_says(1, c.PlayCards(("4", STRESS)))
        seen: list[str] = []

        def is_over() -> bool:
            text = app.panel("table-cards")
            if app.race.film.turn_replay.car == 1 and app.race.film.is_running and text not in seen[-1:]:
                seen.append(text)
                assert app.panel("banner").split()[-3:] == ["any", "key", "skips"]
            return len(seen) > 1 and not app.race.film.is_running

        await until(is_over)
        width = (SMALL_CARD if size == SMALL else BIG_CARD).width + 1
        counts = [len(moment.split("\n")[0]) // width for moment in seen]
        assert sorted(counts) == counts
        assert counts[-1] == 5, "two played, two passed over, one that counts"
        assert {3, 4, 5} <= set(counts)


def hold_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each thing that a turn shows stay until it is skipped."""
    for name in ("TURN_UP", "CARDS", "FLIP", "DROPPED", "LEGEND_CARD"):
        monkeypatch.setattr(f"heat_tui.flow.turn_replay._{name}_SECONDS", 60.0)


@pytest.mark.asyncio
@pytest.mark.parametrize("way", ["key", "click"])
async def test_one_key_skips_to_the_own_decision_and_confirms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(HeatApp, "enter_gap_seconds", 60.0)
    hold_turns(monkeypatch)
    app = RaceApp(tmp_path, HeldSession(table_at(CARS), (0,)), animate=True)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        held = app.session
        assert isinstance(held, HeldSession)
        await pilot.press("1", "enter")
        held.other_says(1, c.PlayCards(("1", "1")))
        await until(lambda: app.race.film.is_running)
        while own_decision(app.race) is None:
            if app.race.film.is_running:
                if way == "key":
                    await pilot.press("home")
                else:
                    await pilot.click("#keys", offset=(2, 0))
            held.others_act()
            await pilot.pause(0.02)
        said = len(held.said)
        await pilot.pause(REPEAT_SECONDS)  # any sooner, Enter would be that of before, held down
        assert len(held.said) == said, "what skips does not confirm too"
        await pilot.press("enter")
        await until(lambda: len(held.said) == said + 1)


@pytest.mark.asyncio
@pytest.mark.parametrize("way", ["key", "click"])
async def test_what_skips_and_is_pressed_again_and_again_answers_nothing_until_it_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    hold_turns(monkeypatch)
    app = RaceApp(tmp_path, HeldSession(table_at(CARS), (0,)), animate=True)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        held = app.session
        assert isinstance(held, HeldSession)
        await pilot.press("1", "enter")
        await until(lambda: len(held.said) == 1)
        app.enter_gap_seconds = 60.0
        held.other_says(1, c.PlayCards(("1", "1")))
        await until(lambda: app.race.film.is_running)
        asked = 0
        while asked < 8:
            if way == "key":
                await pilot.press("enter")
            else:
                await pilot.click("#keys", offset=(2, 0))
                app.race.action_done()  # as a click on what is chosen does
            asked += own_decision(app.race) is not None
            held.others_act()
            await pilot.pause(0.1)
        assert len(held.said) == 1, "all of it was one row, and it began while cars drove"
        app.enter_gap_seconds = 0.0  # the key was let go for long enough
        await pilot.press("enter")
        await until(lambda: len(held.said) == 2)


def test_what_the_legend_card_says_to_the_legend_that_drives_is_known() -> None:
    shown = turn_replay()
    legend = 2
    told(shown, [e.TurnStarted(legend), e.LegendCardTurned(0)])
    assert shown.legend == RaceLabels.of(table_at(CARS).setup).legend_entry(0, legend)
    told(shown, [e.TurnStarted(0)])
    assert shown.legend is None, "a driver plays cards of their own"
    shown.open(legend_card=1)
    told(shown, [e.TurnStarted(legend)])
    assert shown.legend == RaceLabels.of(table_at(CARS).setup).legend_entry(1, legend), "it lay there before"


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_legend_card_is_read_whole_whatever_the_number_of_legends(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="usa", laps=1, legends=5, seed="5"))
    app = RaceApp(tmp_path, HeldSession(table))
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        turn_replay = app.race.film.turn_replay
        turn_replay.tell(e.TurnStarted(1), None)
        turn_replay.tell(e.LegendMoved(1, "A", 12), None)
        turn_replay.tell(e.LegendCardTurned(3), None)
        app.race.panels.show_turn_replay(app.race.shown(), turn_replay)
        shown = " ".join(line.strip() for line in app.panel("forecast").split("\n"))
        assert shown == app.controller.labels.legend_card(3)


@pytest.mark.asyncio
async def test_what_happens_while_a_turn_is_shown_is_shown_too_before_the_view_moves_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(CARS), (0,)), animate=True)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        race, session = app.controller, app.session
        assert isinstance(session, HeldSession)
        take_in, settle = race.take_in, race.settle
        steps: list[tuple[int, int]] = []

        def hear(event: e.Event) -> LogLine | None:
            if isinstance(event, e.CardsRevealed) and event.seat == 1:
                session.seats = ()  # meanwhile the table goes on
                session.others_act()
                session.seats = (0,)
            return take_in(event)

        def note(unseen: Unseen) -> News:
            steps.append((unseen.number, session.view(0).event_number))
            return settle(unseen)

        monkeypatch.setattr(race, "take_in", hear)
        monkeypatch.setattr(race, "settle", note)
        await pilot.press("1", "enter")
        session.other_says(1, c.PlayCards(("1", "1")))
        await until(lambda: app.race.film.is_running)
        while app.race.film.is_running:
            await pilot.press("space")
        await until(lambda: steps and not app.race.film.is_running)
        assert all(number == newest for number, newest in steps), "Heat would be paid twice on the screen"
