"""Moments: what deserves a stamp, how long each takes, and that none is ever in the way (LOOK-5)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise, product
from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.state import Phase
from heat_core.view.race_view import RaceView
from heat_tui.flow.moments import Moment, moments_between, start_lights
from heat_tui.map.marks import Skid
from heat_tui.race.animation import skids_after, steps
from heat_tui.race.bill import Beat, beats
from heat_tui.state import Settings, save_settings
from heat_tui.widgets.moment_box import MomentBox
from tests.tui.support_app import SMALL, folders_in, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, table_at

CARS = {
    "Ana": f"lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 {DRAW}",
    "Ben": "lap 1 space 16 gear 1 engine 6 hand 1 1 2 2 3 3 4",
    "Cas": "lap 1 space 18 gear 1 engine 6 hand 1 1 2 2 3 3 4",
}
TABLE = table_at(CARS)
DROVE = e.CarMoved(0, "cards", 3, 83, 90, 0, ())
LONGEST_SECONDS = 2.0


def view(*ranking: int) -> RaceView:
    return replace(TABLE.view(0), ranking=ranking)


def on_lap(lap: int) -> RaceView:
    own, *others = TABLE.view(0).cars
    return replace(view(2, 1, 0), cars=(replace(own, lap=lap), *others))


def found(before: RaceView, after: RaceView, *events: e.Event, seat: int | None = 0) -> list[Moment]:
    return [*moments_between(before, after, events, seat, TABLE.setup)]


def words(moments: list[Moment]) -> list[str]:
    return [moment.frames[-1].text for moment in moments]


def test_places_won_by_driving_and_the_lead_are_stamped_and_stand_in_the_log() -> None:
    (places,) = found(view(2, 1, 0), view(2, 0, 1), DROVE)
    assert (places.frames[0].text, places.line) == ("P3 > P2", "You gain places: P3 to P2.")
    (lead,) = found(view(2, 1, 0), view(0, 2, 1), DROVE)
    assert (lead.frames[0].text, lead.line) == ("YOU LEAD", "You take the lead.")
    assert found(view(2, 1, 0), view(2, 0, 1)) == [], "others fell back: nothing that the own car did"
    assert found(view(2, 0, 1), view(2, 1, 0), DROVE) == [], "nobody is told of a place lost"
    assert found(view(2, 1, 0), view(0, 2, 1), DROVE, seat=None) == []


def test_the_last_lap_and_the_finish_are_stamped() -> None:
    now, later = view(2, 1, 0), on_lap(TABLE.setup.laps)
    (last_lap,) = found(now, later)
    assert (last_lap.frames[0].text, last_lap.line) == ("LAST LAP", "Your last lap begins.")
    assert found(later, later) == []
    assert found(on_lap(0), on_lap(1)) == [], "the start is not the end of a lap"
    assert words(found(now, view(2, 0, 1), DROVE, e.CarFinished(0))) == ["P2 of 3, 4 spaces behind Cas"]


def test_the_race_begins_with_lights() -> None:
    now = replace(view(2, 1, 0), round=1, phase=Phase.SHIFT_GEARS)
    (lights,) = found(now, now, e.RoundStarted(1))
    assert (lights.frames[-1].text, lights.line) == ("GO", "The lights go out.")
    assert words(found(now, now, e.RoundStarted(1), seat=None)) == ["GO"]
    assert found(now, replace(now, round=2), e.RoundStarted(2)) == []


@pytest.mark.spec("LOOK-5")
def test_every_moment_is_short_and_flashes_at_most_three_times_a_second() -> None:
    now = view(2, 1, 0)
    all_of_them = [
        start_lights(),
        *found(now, view(0, 2, 1), DROVE),
        *found(now, on_lap(TABLE.setup.laps)),
        *found(now, now, e.CarFinished(0)),
    ]
    for moment in all_of_them:
        assert sum(frame.seconds for frame in moment.frames) <= LONGEST_SECONDS
        looks = [frame.look for frame in moment.frames]
        changes = sum(one != other for one, other in pairwise(looks))
        assert changes <= 1, "a stamp changes its ground once at most"
    for paid, pace in product(range(8), (1.0, 0.33)):
        shown = beats(paid, pace)
        starts = [*accumulate((beat.seconds for beat in shown), initial=0.0)]
        lit = [False, *(beat.is_lit for beat in shown)]
        flashes = [start for start, (before, now) in zip(starts, pairwise(lit), strict=False) if now > before]
        assert all(later - start >= 1 / 3 for start, later in pairwise([*flashes, starts[-1]]))
        assert len(flashes) == (2 if pace == 1.0 else 1), "faster ones would be too close"
        assert starts[-1] <= LONGEST_SECONDS
        counts = [beat.paid for beat in shown]
        assert counts == sorted(counts)
    for event in (
        e.SpunOut(0, 30, 38, 29, 0, 2),
        e.CarMoved(0, "slipstream", 2, 30, 32, 0, ()),
        e.CarMoved(0, "boost", 4, 30, 34, 0, ()),
        e.CarMoved(0, "legend", 20, 30, 50, 0, ()),
    ):
        assert sum(step.seconds for step in steps(event, own=0)) <= 0.9
    for spaces in (1, 4, 8, 20, 60):
        event = e.CarMoved(0, "cards", spaces, 30, 30 + spaces, 0, ())
        own, others = list(steps(event, own=0)), list(steps(event, own=1))
        assert sum(step.seconds for step in others) <= sum(step.seconds for step in own) <= 0.9 + 1e-9
        assert [step.spaces for step in own] == list(range(1, spaces + 1))


class Clock:
    """Timers of a widget by a clock that the test turns."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], None]]] = []

    def set_timer(self, seconds: float, then: Callable[[], None]) -> Clock:
        self.due.append((self.now + seconds, then))
        return self

    def stop(self) -> None:
        self.due.clear()

    def turn(self, seconds: float) -> None:
        end = self.now + seconds
        while self.due and self.due[0][0] <= end:
            self.now, then = self.due.pop(0)
            then()
        self.now = end


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-5")
async def test_a_stamp_goes_by_itself_any_key_ends_it_and_the_key_does_what_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(CARS)), animate=True)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        box, clock = app.race.query_one(MomentBox), Clock()
        monkeypatch.setattr(box, "set_timer", clock.set_timer)
        box.play([start_lights()], 1.0)
        seen = []
        for _ in range(40):
            if not box.is_running:
                break
            seen.append(box.lines[1].strip())
            clock.turn(0.1)
        assert seen[0].count("●") == 1
        assert seen[-1] == "GO"
        assert len(seen) == 19, "1.9 seconds"
        box.play([start_lights()], 1.0)
        await pilot.press("2")
        assert not clock.due, "nothing more is to come"
        assert not box.display
        assert app.controller.draft is not None
        assert app.controller.draft.picked == [1], "the key chooses all the same"


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-5")
@pytest.mark.parametrize(("animation", "stamps"), [("normal", True), ("off", False)])
async def test_without_motion_the_log_says_what_a_stamp_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, animation: str, stamps: bool
) -> None:
    save_settings(folders_in(tmp_path), replace(Settings(), animation=animation))
    cars = CARS | {"Ben": "lap 1 space 13 gear 1 engine 6 hand 1 1 2 2 3 3 4", "Cas": CARS["Ben"]}
    session = HeldSession(table_at(cars))
    app = RaceApp(tmp_path, session, animate=True)
    app._animate_asked = None
    shown: list[Moment] = []

    def play(_: MomentBox, moments: tuple[Moment, ...], pace: float) -> None:
        shown.extend(moments if pace else ())

    monkeypatch.setattr(MomentBox, "play", play)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        session.other_says(1, c.PlayCards(("1",)))
        session.other_says(2, c.PlayCards(("1",)))
        await pilot.press("4", "enter")
        for _ in range(200):
            if any("You take the lead" in line.text.plain for line in app.controller.log):
                break
            if app.race.film.is_running:
                await pilot.press("space")
            elif app.controller.owes_a_choice:
                await pilot.press("u", "n", "enter")
            else:
                session.others_act()
            await pilot.pause(0.02)
        await until(lambda: not app.race.film.is_running)
        assert any("You take the lead" in line.text.plain for line in app.controller.log)
        assert bool(shown) == stamps


CORNER = {
    "Ana": f"lap 1 space 30 gear 2 engine 2 hand 1 2 3 4 start-5 stress heat {DRAW}",
    "Ben": "lap 1 space 20 gear 1 engine 5 hand 1 1 2 2 3 3 stress",
}
SPIN = Skid(69 + 37, 69 + 33, 0)


def test_skid_marks_stay_till_the_round_ends() -> None:
    spun_out = e.SpunOut(0, 103, SPIN.start, SPIN.end, 1, 2)
    assert skids_after((), spun_out) == (SPIN,)
    assert skids_after((SPIN,), DROVE) == (SPIN,)
    assert skids_after((SPIN,), e.RoundStarted(3)) == ()


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-5")
@pytest.mark.parametrize("animation", ["normal", "off"])
async def test_a_car_pays_heat_by_heat_spins_out_and_leaves_marks_on_the_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, animation: str
) -> None:
    save_settings(folders_in(tmp_path), replace(Settings(), animation=animation))
    session = HeldSession(table_at(CORNER))
    app = RaceApp(tmp_path, session, animate=True)
    app._animate_asked = None
    billed: list[tuple[bool, str, str]] = []

    async with app.run_test(size=(120, 40)) as pilot:
        await begin(pilot)
        show_bill = app.race.panels.show_bill

        def note(bill: e.CornerChecked, beat: Beat) -> None:
            show_bill(bill, beat)
            lit = bill.corner in app.race.track_map._over.road.corners
            line = next(line for line in app.panel("dashboard").split("\n") if "engine" in line)
            billed.append((lit, line.split()[2], app.panel("standings")))

        monkeypatch.setattr(app.race.panels, "show_bill", note)
        await pilot.press("3", "4", "enter")
        for _ in range(400):
            if app.race.track_map._over.skids and not app.race.film.is_running:
                break
            if not app.race.film.is_running and app.controller.owes_a_choice:
                await pilot.press("u", "enter")
            else:
                session.others_act()
            await pilot.pause(0.02)
        assert app.race.track_map._over.skids == (SPIN,)
        drawing = app.race.track_map.drawing
        assert drawing is not None
        for progress in (104, 105):
            cell = drawing.cell_of(progress - 69, 0)
            assert cell in app.race.track_map._over._overlay, "the marks lie on the road"
        assert any("spins out" in line.text.plain for line in app.controller.log)
        if animation == "off":
            assert not billed
            return
        flashing = [lit for lit, _, _ in billed]
        assert [flashing[0], False in flashing, flashing[-1]] == [True, True, True], "the plate flashes"
        engines = [engine for _, engine, _ in billed]
        assert list(dict.fromkeys(engines)) == ["2", "1", "0"]
        assert len({standings for _, _, standings in billed}) == 3, "and so do the standings"
