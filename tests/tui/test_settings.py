"""Each setting: it has its row, a change holds at once, and the next start finds it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from textual.widgets import Input

from heat_core.options.table_options import LocalOptions
from heat_core.race import commands as c
from heat_core.race.events import SpunOut
from heat_core.record.record import Record
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.race.bell import Bell, strokes
from heat_tui.saved.records import record_files
from heat_tui.screens.map_sample import MapSample
from heat_tui.screens.rows import ChoiceRow
from heat_tui.screens.settings import SettingsScreen
from heat_tui.state import BellOccasion, Settings, load_settings, save_settings
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, race_app, table_at

TAKEN_DOWN_ELSEWHERE = {"server", "keys", "news", "words", "bots", "legends"}
"""Fields that no row of a choice changes: what was done is remembered by itself, keys have a screen, and
what concerns plain mode alone is changed there."""


def records_after_a_race(app: HeatApp) -> object:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    table.submit(0, None, c.GiveUp())
    asyncio.run(app.keep_races([Record(table.setup, tuple(table.log))], (0,)))
    return len(record_files(app.folders))


EFFECTS: dict[str, tuple[Callable[[HeatApp], object], object, object]] = {
    "name": (lambda app: app.player_name, "Ana", "Zoe"),
    "colour": (lambda app: app.settings.colour, "red", "blue"),
    "animation": (lambda app: app.pace, 1.0, 0.33),
    "ascii": (lambda app: app.has_class("-ascii"), False, True),
    "theme": (lambda app: app.settings.theme, "auto", "night"),
    "map": (lambda app: app.map_look.is_smooth, True, False),
    "nearby": (lambda app: app.nearby_on, (), None),
    "replays": (records_after_a_race, 1, 0),
    "bell": (lambda app: app.settings.bell, False, True),
    "bell_at": (lambda app: "turn" in app.settings.bell_at, True, False),
    "notification": (lambda app: app.settings.notification, "off", "osc9"),
    "hints": (lambda app: app.settings.hints, True, False),
    "ghost": (lambda app: app.settings.ghost, True, False),
    "plain_line": (lambda app: app.settings.plain_line, True, False),
}
"""What each setting does: how to see it, before and after one step to the right."""


def test_every_setting_is_known_here() -> None:
    fields = {field.name for field in msgspec.structs.fields(Settings)}
    assert fields - TAKEN_DOWN_ELSEWHERE == set(EFFECTS)


@pytest.mark.asyncio
@pytest.mark.parametrize("name", EFFECTS)
async def test_a_change_holds_at_once_and_is_kept(tmp_path: Path, name: str) -> None:
    effect, before, after = EFFECTS[name]
    save_settings(folders_in(tmp_path), Settings(name="Ana"))
    app = HeatApp(folders_in(tmp_path), nearby_on=())
    async with app.run_test(size=SMALL) as pilot:
        assert await asyncio.to_thread(effect, app) == before
        await pilot.press("s")
        await until(lambda: isinstance(app.screen, SettingsScreen))
        if name == "name":
            app.screen.query_one("#name", Input).value = "Zoe"
        else:
            row = "bell-at-turn" if name == "bell_at" else name
            app.screen.query_one(f"#{row}", ChoiceRow).focus()
            await pilot.press("right")
        await until(lambda: "Saved." in shown(pilot))
        for _, path in record_files(app.folders):
            path.unlink()
        assert await asyncio.to_thread(effect, app) == after
        await pilot.press("escape")
    again = HeatApp(folders_in(tmp_path), nearby_on=())
    assert getattr(load_settings(again.folders), name) == getattr(app.settings, name)
    assert await asyncio.to_thread(effect, again) == after


# --- the bell ----------------------------------------------------------------------------------------------

CARS = {
    "Ana": f"lap 1 space 60 gear 2 engine 3 hand 1 2 3 4 {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 {DRAW}",
}


class RingingApp(RaceApp):
    """The client at a table, which counts how often it rings."""

    rings = 0

    def bell(self) -> None:
        self.rings += 1


@pytest.mark.asyncio
@pytest.mark.parametrize("is_on", [True, False])
async def test_it_rings_at_the_own_turn_and_at_the_end_where_that_is_set(tmp_path: Path, is_on: bool) -> None:
    save_settings(folders_in(tmp_path), Settings(bell=is_on))
    session = HeldSession(table_at(CARS, laps=1))
    app = RingingApp(tmp_path, session)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.pause()
        assert app.rings == is_on, "cards are asked for"
        await pilot.press("1")
        await pilot.pause()
        assert app.rings == is_on, "it rings once for each"
        await pilot.press("g", "y")
        await until(lambda: session.said)
        while app.controller.view.status != "ended":
            session.others_act()
            await pilot.pause(0.02)
        await until(lambda: app.rings == 4 * is_on)


@pytest.mark.asyncio
async def test_it_rings_twice_when_time_is_short(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(bell=True, bell_at=("time",)))
    session = HeldSession(table_at(CARS, laps=1))
    session.seconds_left = lambda seat: 9.0  # type: ignore[method-assign]
    app = RingingApp(tmp_path, session)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await until(lambda: app.rings == 2)
        await pilot.pause(1.2)
        assert app.rings == 2


def test_who_looks_on_hears_the_end_alone_and_once() -> None:
    table = table_at(CARS, laps=1)
    session = LocalSession(table)
    session.seats = ()
    bell = Bell(session)
    assert bell.due() == []
    for seat in (0, 1):
        if table.view(None).status != "ended":
            table.submit(seat, None, c.GiveUp())
    assert table.view(None).status == "ended"
    assert bell.due() == ["end"]
    assert bell.due() == []


@pytest.mark.spec("EAR-5")
def test_one_stroke_for_the_turn_two_for_the_time_three_for_a_spin_out_and_the_end() -> None:
    cars = {
        "Ana": f"lap 1 space 33 gear 4 engine 0 hand 4 4 3 2 {DRAW}",
        "L1": "lap 1 space 20 legend easy",
    }
    table = table_at(cars, laps=2)
    session = LocalSession(table)
    bell = Bell(session)
    heard = [bell.due()]
    left = [30.0]
    session.seconds_left = lambda seat: left[0]  # type: ignore[method-assign]
    assert bell.short_of_time() == []
    left[0] = 10.0
    heard += [bell.short_of_time(), bell.short_of_time()]
    while not any(isinstance(event, SpunOut) for event in table.log):
        table.play_default(0)
    heard.append(bell.due())
    assert heard == [["turn"], ["time"], [], ["turn", "spin-out"]]
    all_on, none_on = Settings(bell=True), Settings(bell=True, bell_at=())
    occasions: tuple[BellOccasion, ...] = ("turn", "time", "spin-out", "end")
    assert [strokes(all_on, [one]) for one in occasions] == [1, 2, 3, 3]
    assert strokes(all_on, heard[3]) == 3, "of what happens at once the most counts"
    assert not any(strokes(settings, occasions) for settings in (Settings(), none_on))


@pytest.mark.asyncio
async def test_a_race_that_goes_on_is_silent_for_who_has_chosen(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        bell = Bell(app.controller.session)
        assert bell.due() == ["turn"]
        assert bell.due() == []
        await pilot.press("1", "2", "enter")
        await until(
            lambda: app.controller.view.own is not None and app.controller.view.own.chosen is not None
        )
        assert bell.due() == []


@pytest.mark.asyncio
async def test_the_disc_beside_the_map_setting_is_drawn_as_the_map_would_be(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path))
    async with app.run_test(size=SMALL) as pilot:
        app.push_screen(SettingsScreen())
        await pilot.pause()
        sample = app.screen.query_one(MapSample)
        drawn = {"smooth": sample.render().plain}
        assert any(glyph in drawn["smooth"] for glyph in "▁▂▃▅▆▇▏▎▍▋▊▉▖▗▘▝"), "finer than half cells"
        row = app.screen.query_one("#map", ChoiceRow)
        for style in ("half", "ascii"):
            row.action_step(1)
            await pilot.pause()
            drawn[style] = sample.render().plain
        assert set(drawn["half"]) & set("▀▁▂▃▅▆▇▏▎▍▋▊▉▖▗▘▝▚▌") == {"▀"}
        assert drawn["ascii"].isascii()


@pytest.mark.asyncio
async def test_the_command_line_chooses_the_map_before_the_settings_do(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(map="half"))
    assert not HeatApp(folders_in(tmp_path)).map_look.is_smooth
    assert HeatApp(folders_in(tmp_path), map_style="ascii").map_look.mode == "ascii"
