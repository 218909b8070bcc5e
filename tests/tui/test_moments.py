"""Moments: what deserves a stamp, how long each takes, and that none is ever in the way (LOOK-5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise, product
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import RULEBOOK
from heat_core.view.race_view import RaceView
from heat_tui.flow.moments import Flag, Frame, Lights, Moment, Stamp, moment_of, moments_between, start_lights
from heat_tui.flow.turn_replay import TurnReplay
from heat_tui.map.marks import Skid
from heat_tui.race.animation import skids_after, steps
from heat_tui.race.bill import Beat, beats
from heat_tui.race.presenter import RaceLabels
from heat_tui.state import Settings, save_settings
from heat_tui.theme.glyphs import ASCII, UNICODE
from heat_tui.theme.paints import contrast
from heat_tui.widgets.moment_box import MomentBox
from heat_tui.widgets.moment_pictures import draw_moment
from heat_tui.widgets.moment_signs import write_moment
from tests.tui.support_app import SMALL, folders_in, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, table_at

CARS = {
    "Ana": f"lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 {DRAW}",
    "Ben": "lap 1 space 16 gear 1 engine 6 hand 1 1 2 2 3 3 4",
    "Cas": "lap 1 space 18 gear 1 engine 6 hand 1 1 2 2 3 3 4",
}
TABLE = table_at(CARS)
CONSOLE = Console()
DROVE = e.CarMoved(0, "cards", 3, 83, 90, 0, ())
LONGEST_SECONDS = 2.0
LABELS = RaceLabels.of(TABLE.setup)
SPUN_OUT = e.SpunOut(0, 103, 106, 102, 1, 2)


def view(*ranking: int) -> RaceView:
    return replace(TABLE.view(0), ranking=ranking)


def on_lap(lap: int) -> RaceView:
    own, *others = TABLE.view(0).cars
    return replace(view(2, 1, 0), cars=(replace(own, lap=lap), *others))


def found(before: RaceView, after: RaceView, *events: e.Event, seat: int | None = 0) -> list[Moment]:
    return [*moments_between(before, after, events, seat, TABLE.setup)]


def said(frame: Frame) -> str:
    """Give what a picture says in words."""
    match frame.picture:
        case Lights(lit=lit, gone=gone):
            return "GO" if gone else f"{lit} lit"
        case Flag(title=title, lines=lines):
            return " ".join((title, *lines)).strip()
        case Stamp(text=text):
            return text


def words(moments: list[Moment]) -> list[str]:
    return [said(moment.frames[-1]) for moment in moments if moment.frames]


def test_places_won_by_driving_and_the_lead_are_stamped_and_stand_in_the_log() -> None:
    (places,) = found(view(2, 1, 0), view(2, 0, 1), DROVE)
    assert (said(places.frames[0]), places.line) == ("P3 > P2", "You move up from P3 to P2.")
    (lead,) = found(view(2, 1, 0), view(0, 2, 1), DROVE)
    assert (said(lead.frames[0]), lead.line) == ("YOU LEAD", "You take the lead.")
    assert found(view(2, 1, 0), view(2, 0, 1)) == [], "others fell back: nothing that the own car did"
    assert found(view(2, 0, 1), view(2, 1, 0), DROVE) == [], "nobody is told of a place lost"
    assert found(view(2, 1, 0), view(0, 2, 1), DROVE, seat=None) == []


def test_the_last_lap_and_the_finish_are_stamped() -> None:
    now, later = view(2, 1, 0), on_lap(TABLE.setup.laps)
    (last_lap,) = found(now, later)
    assert (said(last_lap.frames[0]), last_lap.line) == ("LAST LAP", "Your last lap begins.")
    assert found(later, later) == []
    assert found(on_lap(0), on_lap(1)) == [], "the start is not the end of a lap"
    ended = replace(view(2, 0, 1), status="ended")
    assert words(found(now, ended, DROVE, e.CarFinished(0))) == ["P2 of 3 4 spaces behind Cas"]
    racing = found(now, view(2, 0, 1), DROVE, e.CarFinished(0))
    assert words(racing)[-1] == "P2 of 3 so far 4 spaces behind Cas", "those behind may still pass"


def test_the_first_car_over_the_line_makes_the_round_the_last_and_the_flag_names_each_place() -> None:
    now, finished = view(2, 1, 0), e.CarFinished(2)
    (last_round,) = found(now, now, finished)
    line = "Cas has crossed the finish line: this is the last round."
    assert (said(last_round.frames[0]), last_round.line) == ("LAST ROUND", line)
    assert [moment.line for moment in found(now, now, finished, seat=None)] == [line], "watchers hear it, too"
    (silent,) = found(now, replace(now, status="ended"), finished)
    assert (silent.frames, silent.line) == ((), line), "no round is announced that is over"
    cars = tuple(replace(car, status="finished") if car.number == 2 else car for car in now.cars)
    assert found(replace(now, cars=cars), now, e.CarFinished(1)) == [], "it is announced once"
    others_race_on = replace(TABLE.setup, rules=RULEBOOK)
    assert not moments_between(now, now, [finished], 0, others_race_on)
    flag = moment_of(finished, (1, 2, 0), LABELS, 0)
    assert flag is not None
    assert said(flag.frames[-1]) == "P2 Cas crosses the line"


def test_the_race_begins_with_lights() -> None:
    now = replace(view(2, 1, 0), round=1, phase=Phase.SHIFT_GEARS)
    (lights,) = found(now, now, e.RoundStarted(1))
    assert (said(lights.frames[-1]), lights.line) == ("GO", "The lights go out.")
    colours = tuple(TABLE.setup.cars[number].colour for number in now.ranking)
    assert {frame.picture.cars for frame in lights.frames if isinstance(frame.picture, Lights)} == {colours}
    assert words(found(now, now, e.RoundStarted(1), seat=None)) == ["GO"]
    assert found(now, replace(now, round=2), e.RoundStarted(2)) == []


def all_moments() -> list[Moment]:
    now = view(2, 1, 0)
    at_once = [moment_of(event, (2, 1, 0), LABELS, 0) for event in (SPUN_OUT, e.CarFinished(1))]
    return [
        start_lights([car.colour for car in TABLE.setup.cars]),
        *found(now, view(0, 2, 1), DROVE),
        *found(now, on_lap(TABLE.setup.laps)),
        *found(now, now, e.CarFinished(0)),
        *(moment for moment in at_once if moment is not None),
    ]


def grounds(frame: Frame, columns: int, rows: int) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Give the colour that fills each cell of a picture, whole cells only."""
    shown: dict[tuple[int, int], tuple[int, int, int]] = {}
    for y, line in enumerate(draw_moment(frame.picture, columns, rows, is_smooth=False)):
        for x, segment in enumerate(line.get_style_at_offset(CONSOLE, x) for x in range(line.cell_len)):
            if line.plain[x] == " " and segment.bgcolor is not None and segment.bgcolor.triplet is not None:
                shown[x, y] = segment.bgcolor.triplet
    return shown


@pytest.mark.parametrize("room", [(53, 14), (80, 24), (150, 44)])
def test_no_cell_of_a_picture_flashes_more_than_three_times_a_second(room: tuple[int, int]) -> None:
    for moment in all_moments():
        starts = accumulate((frame.seconds for frame in moment.frames), initial=0.0)
        pictures = list(zip(starts, (grounds(frame, *room) for frame in moment.frames), strict=False))
        changes: dict[tuple[int, int], list[float]] = {}
        for (_, before), (start, after) in pairwise(pictures):
            for cell in before.keys() & after.keys():
                if contrast(before[cell], after[cell]) > 1.2:
                    changes.setdefault(cell, []).append(start)
        for times in changes.values():
            # A flash is a change and its opposite.
            assert all(sum(start <= time < start + 1 for time in times) <= 6 for start in times)


@pytest.mark.asyncio
async def test_a_flag_changes_at_most_three_times_a_second_at_a_quick_pace_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(CARS)), animate=True)
    flag = moment_of(e.CarFinished(1), (2, 1, 0), LABELS, 0)
    assert flag is not None
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        box, clock = app.race.query_one(MomentBox), Clock()
        monkeypatch.setattr(box, "set_timer", clock.set_timer)
        box.play([flag], 0.33)
        changes, shown = [clock.now], box.lines
        while box.is_running:
            clock.turn(0.01)
            if box.lines != shown or not box.is_running:
                changes.append(clock.now)
                shown = box.lines
    whole, folded, gone = changes[-3:]
    assert folded - whole >= 1 / 3
    assert gone - folded >= 1 / 3


@pytest.mark.parametrize("room", [(53, 14), (80, 24), (150, 44), (40, 8)])
def test_every_picture_fits_over_the_map_or_is_drawn_in_signs(room: tuple[int, int]) -> None:
    for frame in (frame for moment in all_moments() for frame in moment.frames):
        drawn = draw_moment(frame.picture, *room, is_smooth=True)
        for lines in (drawn, *(write_moment(frame.picture, room[0], glyphs) for glyphs in (UNICODE, ASCII))):
            assert len(lines) <= max(room[1], 9)
            assert len({line.cell_len for line in lines}) <= 1, "a box"
            assert all(line.cell_len <= room[0] for line in lines)
        assert drawn or room == (40, 8), "80 columns have room for every picture"
        assert all(line.plain.isascii() for line in write_moment(frame.picture, room[0], ASCII))


def test_signs_say_what_pictures_show() -> None:
    def signs(moment: Moment | None, number: int = -1) -> str:
        assert moment is not None
        return "\n".join(line.plain for line in write_moment(moment.frames[number].picture, 53, ASCII))

    lights = start_lights(["red"])
    assert signs(lights, 2).count("%%%") == 3
    assert "GO" in signs(lights)
    assert "%%%" not in signs(lights)
    assert "P2  Ben" in signs(moment_of(e.CarFinished(1), (2, 1, 0), LABELS, 0))
    spun_out = signs(moment_of(SPUN_OUT, (2, 1, 0), LABELS, 0))
    assert "SPIN OUT" in spun_out
    assert "back to space 33, 1st gear, 2 Stress" in spun_out
    assert "Ana: back to space 33" in signs(moment_of(SPUN_OUT, (2, 1, 0), LABELS, 1))


def test_a_spin_out_is_shown_for_two_seconds_before_the_next_car_drives() -> None:
    told = TurnReplay(LABELS, LABELS.track).tell(SPUN_OUT, None)
    assert 1.8 <= told + sum(step.seconds for step in steps(SPUN_OUT, own=0)) <= LONGEST_SECONDS
    moment = moment_of(SPUN_OUT, (2, 1, 0), LABELS, 0)
    assert moment is not None
    assert moment.seconds == told, "its picture stands as long as nothing else moves"


@pytest.mark.spec("LOOK-5")
def test_every_moment_is_short_and_flashes_at_most_three_times_a_second() -> None:
    for moment in all_moments():
        assert moment.seconds <= LONGEST_SECONDS
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
        box.play([start_lights(["red", "blue"])], 1.0)
        seen = []
        for _ in range(40):
            if not box.is_running:
                break
            seen.append(box.lines)
            clock.turn(0.1)
        assert len({len(line) for line in seen[0]}) == 1
        assert len(set(seen)) == 7, "five lights, and the cars on two pictures"
        assert len(seen) == 19, "1.9 seconds"
        box.play([start_lights(["red", "blue"])], 1.0)
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

    def play(_: MomentBox, moments: Sequence[Moment], pace: float, clear_of: int | None) -> None:
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
            lit = bill.corner in app.race.track_map._pane.over.road.corners
            line = next(line for line in app.panel("dashboard").split("\n") if "engine" in line)
            billed.append((lit, line.split()[2], app.panel("standings")))

        monkeypatch.setattr(app.race.panels, "show_bill", note)
        await pilot.press("3", "4", "enter")
        for _ in range(400):
            if app.race.track_map._pane.over.skids and not app.race.film.is_running:
                break
            if not app.race.film.is_running and app.controller.owes_a_choice:
                await pilot.press("u", "enter")
            else:
                session.others_act()
            await pilot.pause(0.02)
        assert app.race.track_map._pane.over.skids == (SPIN,)
        drawing = app.race.track_map.drawing
        assert drawing is not None
        for progress in (104, 105):
            cell = drawing.cell_of(progress - 69, 0)
            assert cell in app.race.track_map._pane.over._overlay, "the marks lie on the road"
        assert any("spins out" in line.text.plain for line in app.controller.log)
        if animation == "off":
            assert not billed
            return
        flashing = [lit for lit, _, _ in billed]
        assert [flashing[0], False in flashing, flashing[-1]] == [True, True, True], "the plate flashes"
        engines = [engine for _, engine, _ in billed]
        assert list(dict.fromkeys(engines)) == ["2", "1", "0"]
        assert len({standings for _, _, standings in billed}) == 3, "and so do the standings"
