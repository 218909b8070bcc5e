"""The track on the screen while a race goes on: standings, turns, what moves and how (BOARD)."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import STANDARD
from heat_tui.map.palette import HIGHLIGHT_GLYPHS
from heat_tui.race.animation import Step, steps
from heat_tui.race.order import moved, turns
from heat_tui.race.presenter import RaceLabels, entries
from heat_tui.screens.race_film import RaceFilm
from heat_tui.state import Settings, save_settings
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, own_decision, table_at

HUGE = (200, 60)
EIGHT = {
    "Ana": f"lap 1 space 30 gear 2 engine 5 hand 1 2 3 4 start-5 {STRESS} heat {DRAW}",
    **{
        f"{name} Longname": f"lap 1 space {space} gear 2 engine 5 hand 1 1 2 2 3 3 4"
        for name, space in zip("BCDEF", (29, 28, 28, 69, 27), strict=True)
    },
    "Leg": "lap 2 space 1 legend hard",
    "Mel": "lap 1 space 9 legend easy",
}
_IN_STRIP = r"[▶ ]([A-Z]) (\d+)/(\d+) "
_IN_TABLE = r"^\d[▶▲▼ ]([A-Z]) \S.* (\d+)/(\d+)\b"
WIDE = msgspec.structs.replace(STANDARD, most_cars=8)


def eight_cars() -> HeldSession:
    return HeldSession(table_at(EIGHT, rules=WIDE))


def assert_all_is_told(pilot: Pilot[None]) -> None:
    """Laps, standings, turn order and the active seat are on the screen, whole."""
    app = pilot.app
    assert isinstance(app, RaceApp)
    view, letters = app.controller.view, app.controller.labels.letters
    text = shown(pilot)
    name = "order" if app.race.has_class("-whole-map") else "standings"
    panel = app.panel(name)
    assert all(line.rstrip() in text for line in panel.split("\n")), "nothing of it is cut"
    told = re.findall(_IN_STRIP if name == "order" else _IN_TABLE, panel, re.MULTILINE)
    assert [letter for letter, _, _ in told] == [letters[number] for number in view.ranking]
    if not app.race.film.is_running:
        cars = [view.cars[number] for number in view.ranking]
        assert [(int(lap), int(space)) for _, lap, space in told] == [(car.lap, car.space) for car in cars]
    if name == "standings":
        due = sum(not decision.has_chosen for decision in view.decisions)
        assert len(re.findall(r"…$", panel, re.MULTILINE)) == due, panel
        assert not re.findall(r"[▮▯]…$", panel, re.MULTILINE), "no bar of Heat seems to be cut"
        assert ("…choosing" in panel) == bool(due), "the heading explains the sign"
    order = turns(view)
    last = panel.split("\n")[-1]
    assert re.findall("[A-Z]", last) == [letters[number] for number in order.order]
    if view.turn is not None:
        assert f"▶{letters[view.turn.car]}" in last
        assert panel.count("▶") == 2, "marked in the standings and in the order"


@pytest.mark.asyncio
@pytest.mark.spec("BOARD-5")
@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
async def test_laps_standings_turn_order_and_the_active_seat_are_always_told(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = RaceApp(tmp_path, eight_cars())
    phases = set()
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        assert isinstance(app.session, HeldSession)
        await pilot.press("1", "2", "enter")
        for _ in range(200):
            phases.add(app.controller.view.phase.name)
            assert_all_is_told(pilot)
            await pilot.press("v")
            await pilot.pause()
            assert_all_is_told(pilot)
            await pilot.press("v")
            if app.controller.view.round > 2 and len(phases) > 3:
                break
            if own_decision(app.race) is not None:
                await pilot.press("u", "n", "enter")
            else:
                app.session.others_act()
            await pilot.pause(0.02)
    assert {"PLAY_CARDS", "REACT", "DISCARD", "SHIFT_GEARS"} <= phases


@pytest.mark.asyncio
async def test_where_its_level_does_not_fit_a_bot_stands_by_its_name(tmp_path: Path) -> None:
    cars = {"Ana": EIGHT["Ana"], "Ines (normal)": EIGHT["B Longname"]}
    app = RaceApp(tmp_path, HeldSession(table_at(cars)))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "Ines " in app.panel("standings")
        assert "Ines (" not in app.panel("standings")
        await pilot.resize_terminal(*HUGE)
        await until(lambda: "Ines (normal) " in app.panel("standings"))


def test_while_cars_drive_the_standings_go_with_them() -> None:
    table = table_at(EIGHT, rules=WIDE)
    labels = RaceLabels.of(table.setup)
    lines = moved(entries(table.view(0), labels, 0), {0: (139, 1), 7: (140, 0)}, labels.track)
    assert [(line.letter, line.place) for line in lines[:3]] == [("M", 1), ("L", 2), ("A", 3)]
    assert (lines[0].car.lap, lines[0].car.space) == (2, 2)


def test_while_cars_drive_the_standings_show_the_gear_that_a_car_has_come_into() -> None:
    table = table_at(EIGHT, rules=WIDE)
    before = entries(table.view(0), RaceLabels.of(table.setup), 0)
    spun = before[0].car.number
    after = moved(before, {}, RaceLabels.of(table.setup).track, gears={spun: 4})
    assert [line.car.gear for line in after] == [4, *(line.car.gear for line in before[1:])]


async def steps_of(tmp_path: Path, session: HeldSession, until_told: str) -> list[Step]:
    """Drive with animation; give every step that is shown."""
    app = RaceApp(tmp_path, session, animate=True)
    seen: list[Step] = []
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        place = app.race.panels.place_car

        def note(step: Step) -> None:
            track_map = app.race.track_map
            (spot,) = (car.spot for car in track_map.cars if car.number == step.car)
            place(step)
            seen.append(step)
            assert [(car.progress, car.spot) for car in track_map.cars if car.number == step.car] == [
                (step.progress, spot if step.spot is None else step.spot)
            ]
            assert set(track_map._pane.over.highlights) == {
                (app.controller.labels.track.space(behind), 0) for behind in step.wake
            }

        app.race.panels.place_car = note  # type: ignore[method-assign]
        await pilot.press("3", "4", "enter")
        for _ in range(400):
            if any(until_told in line.text.plain for line in app.controller.log):
                break
            decision = own_decision(app.race)
            if not app.race.film.is_running:
                if decision is not None and (0, decision) not in app.controller._sent:
                    await pilot.press(
                        *(("s", "enter") if "6 SLIP" in app.panel("banner") else ("u", "enter"))
                    )
                else:
                    session.others_act()
            await pilot.pause(0.02)
        else:
            raise AssertionError(f"never told: {until_told}")
        await until(lambda: not app.race.film.is_running)
    return seen


CORNER = {
    "Ana": f"lap 1 space 30 gear 2 engine 2 hand 1 2 3 4 start-5 {STRESS} heat {DRAW}",
    "Ben": f"lap 1 space 20 gear 1 engine 5 hand 1 1 2 2 3 3 {STRESS}",
}
BESIDE = {
    "Ana": f"lap 1 space 14 gear 2 engine 6 hand 1 1 3 4 {DRAW}",
    "Ben": f"lap 1 space 21 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
}


@pytest.mark.asyncio
async def test_a_spin_out_runs_backwards_with_a_skid_mark(tmp_path: Path) -> None:
    seen = await steps_of(tmp_path, HeldSession(table_at(CORNER)), "Ana spins out")
    own = [step for step in seen if step.car == 0]
    assert [step.progress - 69 for step in own] == [31, 32, 33, 34, 35, 36, 37, 37, 36, 35, 34, 33]
    assert [step.trail for step in own] == [None] * 7 + ["skid"] * 5, "it brakes, then slides back"
    assert [step.turns for step in own[-4:]] == [(0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)]
    assert len(own[-1].wake) == 4


@pytest.mark.asyncio
@pytest.mark.spec("BOARD-4")
async def test_moves_run_space_by_space_each_kind_in_its_own_way_and_can_be_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, slip, boost = (
        list(steps(e.CarMoved(0, reason, 3, 30, 33, 0, ()))) for reason in ("cards", "slipstream", "boost")
    )
    for moved_so in (drive, slip, boost):
        assert [step.progress for step in moved_so] == [31, 32, 33]
        assert 0 < sum(step.seconds for step in moved_so) < 1
    assert len({step.trail for step in (drive[-1], slip[-1], boost[-1])}) == 3
    assert len({HIGHLIGHT_GLYPHS[name] for name in ("slipstream", "boost", "skid", "target")}) == 4
    back = list(steps(e.SpunOut(0, 30, 33, 30, 0, 1)))
    assert [step.progress for step in back] == [33, 32, 31, 30]
    assert [round(step.seconds, 3) for step in back] == [0.24, 0.127, 0.127, 0.127]
    assert list(steps(e.CarMoved(0, "legend", 60, 30, 90, 0, ())))[-1].progress == 90
    assert sum(step.seconds for step in steps(e.CarMoved(0, "legend", 60, 30, 90, 0, ()))) < 1

    # Cards turn up car by car; a key skips the pause, and what is skipped is not looked at at all.
    monkeypatch.setattr("heat_tui.flow.turn_replay._CARDS_SECONDS", 600.0)
    session = HeldSession(table_at(CORNER))
    app = RaceApp(tmp_path, session, animate=True)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("3", "4", "enter")
        session.other_says(1, c.PlayCards(("1",)))
        await until(lambda: app.race.film.is_running and "Ana: 3, 4" in app.panel("forecast"))
        assert "Ben" not in app.panel("forecast"), "those of the car behind wait for its turn"
        assert "any key skips" in app.panel("banner")
        await pilot.press("q")
        await until(lambda: not app.race.film.is_running)
        assert app.screen is app.race, "the key does nothing else"
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), animation="off"))
    app = RaceApp(tmp_path, HeldSession(table_at(CORNER)))
    assert app.pace == 0


@pytest.mark.asyncio
async def test_a_slipstream_leaves_a_streak(tmp_path: Path) -> None:
    session = HeldSession(table_at(BESIDE))
    session.other_says(1, c.PlayCards(("1",)))
    seen = await steps_of(tmp_path, session, "Ana slipstreams")
    own = [step for step in seen if step.car == 0]
    assert [step.trail for step in own][-2:] == ["slipstream"] * 2
    assert len(own[-1].wake) == 2


@pytest.mark.asyncio
@pytest.mark.parametrize(("setting", "is_shown"), [("normal", True), ("quick", True), ("off", False)])
async def test_how_fast_cars_drive_is_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, is_shown: bool
) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), animation=setting))
    app = RaceApp(tmp_path, HeldSession(table_at(CORNER)), animate=True)
    app._animate_asked = None
    waited: list[float] = []

    async def wait(_: RaceFilm, seconds: float) -> bool:
        waited.append(seconds)
        await asyncio.sleep(0)
        return False

    monkeypatch.setattr(RaceFilm, "_is_skipped", wait)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert isinstance(app.session, HeldSession)
        await pilot.press("1", "2", "enter")
        app.session.others_act()
        await until(lambda: any("Ana drives" in line.text.plain for line in app.controller.log))
        assert bool(waited) == is_shown
        if is_shown:
            usual = 0.5 if setting == "normal" else 0.5 * 0.33
            assert max(waited) == pytest.approx(usual)
