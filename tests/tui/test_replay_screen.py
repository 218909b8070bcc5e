"""Watching a race that is over: walking, playing, looking through viewpoint, the plot and the results."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest
from textual.widgets import OptionList

from heat_core.options.table_options import LocalOptions
from heat_core.race import events as e
from heat_core.record.record import Record
from heat_core.sentences.card_words import card_name
from heat_tui.flow.replay import ALL_HANDS
from heat_tui.map.widget import TrackMap
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.log import LogScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.state import Animation, Settings, save_settings
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.replay_lines import hand_words
from tests.core.support import stopped, without_seed
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_replay import at_replay, panel, raced, replay_app


@pytest.fixture(scope="module")
def record() -> Record:
    return raced()


# --- walking -----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_events_turns_and_rounds_are_walked_by_keys_both_ways(
    tmp_path: Path, record: Record, size: tuple[int, int]
) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=size) as pilot:
        screen = await at_replay(pilot)
        playback = screen.replay.playback
        for keys, place in (
            (["right"], playback.step(0, 1)),
            (["right", "right", "left"], playback.step(0, 2)),
            (["pageup"], playback.place_of_round(1)),
            (["pagedown", "pagedown"], playback.place_of_round(3)),
            (["down"], playback.step_turns(playback.place_of_round(3), 1)),
            (["up"], playback.place_of_round(3)),
            (["pageup"], playback.place_of_round(2)),
            (["end"], playback.last),
            (["right"], playback.last),
            (["home"], 0),
            (["left"], 0),
        ):
            await pilot.press(*keys)
            await pilot.pause()
            assert screen.replay.place == place, keys
            now = playback.moments[place]
            assert screen.replay.count in panel(screen, "forecast")
            assert now.text.split(":")[0][:40] in panel(screen, "forecast").replace("->", "→")
            assert screen.replay.view == playback.view(place, None)
            assert f"round {max(0, playback.race_at(place).round)}" in panel(screen, "banner")


@pytest.mark.asyncio
async def test_a_round_is_gone_to_by_its_number_and_by_the_mouse(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        await pilot.press("g", "4", "enter")
        await until(lambda: app.screen is screen)
        assert screen.replay.place == screen.replay.playback.place_of_round(4)
        for typed in ("99", "x"):
            last = screen.replay.playback.rounds[-1]
            await pilot.press("g", *typed, "enter")
            await until(lambda: "There is no such round." in shown(pilot))
            assert f"Which round, 1 to {last}?" in shown(pilot)
            await pilot.press("escape")
            await until(lambda: app.screen is screen)
            assert screen.replay.place == screen.replay.playback.place_of_round(4)
        await pilot.press("g", "escape")
        await until(lambda: app.screen is screen)
        assert screen.replay.place == screen.replay.playback.place_of_round(4)
        bar = screen.query_one("#forecast", TextPanel).lines[1]
        await pilot.click("#forecast", offset=(bar.index(" 6 ") + 1, 1))
        await pilot.pause()
        assert screen.replay.place == screen.replay.playback.place_of_round(6)
        buttons = screen.query_one("#forecast", TextPanel).lines[2]
        await pilot.click("#forecast", offset=(buttons.index("<<"), 2))
        await pilot.pause()
        assert screen.replay.place == screen.replay.playback.place_of_round(5)
        await pilot.click("#forecast", offset=(buttons.index(">|"), 2))
        await pilot.pause()
        assert screen.replay.place == screen.replay.playback.last
        await pilot.click("#forecast", offset=(buttons.index("|<"), 2))
        await pilot.pause()
        assert screen.replay.place == 0


def _is_playing(screen: ReplayScreen) -> bool:
    return screen.replay.is_playing


@pytest.mark.asyncio
async def test_it_plays_to_the_end_pauses_and_begins_anew(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record, animate=True)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        playing = partial(_is_playing, screen)
        screen.replay.speed = 1000.0
        await pilot.press("space")
        assert playing()
        assert "pause" in panel(screen, "forecast")
        await until(lambda: screen.replay.place > 5)
        await pilot.press("space")
        assert not playing()
        stopped = screen.replay.place
        await pilot.pause()
        assert screen.replay.place == stopped
        await pilot.press("space")
        await until(lambda: screen.replay.place == screen.replay.playback.last, 30)
        await until(lambda: not playing())
        screen.replay.speed = 1.0
        await pilot.press("space")
        assert playing()
        assert screen.replay.place == 0
        await pilot.press("right")
        assert not playing(), "whoever walks is not played to"
        assert screen.replay.place == screen.replay.playback.step(0, 1)


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-5")
@pytest.mark.parametrize(("animation", "drives"), [("normal", True), ("quick", True), ("off", False)])
async def test_cars_drive_while_it_plays_unless_motion_is_reduced(
    tmp_path: Path, record: Record, animation: Animation, drives: bool
) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), animation=animation))
    app = replay_app(tmp_path, record, animate=None)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        playback = screen.replay.playback
        place = next(n for n, m in enumerate(playback.moments) if " drives " in m.text)
        screen.action_walk("to_moment", place - 1)
        screen.replay.speed = 2.0
        before = {car.number: car.progress for car in screen.replay.view.cars}
        seen: set[int] = set()
        mover = playback.moments[place].event.car  # type: ignore[union-attr]  # it is a move

        def look() -> bool:
            seen.update(car.progress for car in screen.query_one(TrackMap).cars if car.number == mover)
            return screen.replay.place == place

        await pilot.press("space")
        await until(look)
        after = screen.replay.view.cars[mover].progress
        between = {progress for progress in seen if before[mover] < progress < after}
        assert bool(between) == drives
        assert app.animation_level == ("full" if drives else "none"), "the same goes for what scrolls"


@pytest.mark.asyncio
async def test_the_speed_is_shown(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        for key, speed in (("s", "2x"), ("s", "4x"), ("S", "2x")):
            await pilot.press(key)
            assert f"play   {speed}  >" in panel(screen, "forecast")


# --- viewpoints --------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_view_is_all_hands_a_seats_or_a_spectators(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        playback = screen.replay.playback
        await pilot.press("pagedown", "pagedown", "right")
        race = playback.race_at(screen.replay.place)
        hands = panel(screen, "curtain")
        for number in race.seats():
            assert hand_words(race.seat(number).hand) in hands
        assert "view: all hands" in panel(screen, "forecast")
        for key, seat in zip("1234", race.seats(), strict=True):
            await pilot.press(key)
            await pilot.pause()
            assert screen.replay.view == playback.view(screen.replay.place, seat)
            assert f"view: {screen.replay.labels.names[seat]}" in panel(screen, "forecast")
            own = screen.replay.view.own
            assert own is not None
            drawn = panel(screen, "hand")
            assert all(card_name(card)[:1] in drawn for card in own.hand)
            assert not screen.query_one("#curtain").display
        await pilot.press("9")
        await pilot.pause()
        assert screen.replay.view.own is None
        assert "no hands" in panel(screen, "curtain")
        await pilot.press("0")
        assert screen.replay.viewpoint == ALL_HANDS
        for viewpoint in [*screen.replay.viewpoints[1:], ALL_HANDS]:
            await pilot.press("tab")
            assert screen.replay.viewpoint == viewpoint


@pytest.mark.asyncio
async def test_in_phase_5_a_seats_view_still_shows_its_hand(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        opened = (
            (number, event.seats[0])
            for number, event in enumerate(record.events, start=1)
            if isinstance(event, e.DecisionsOpened) and event.kind == "react"
        )
        number, seat = next(opened)
        screen.action_walk("to_moment", screen.replay.playback.place_of_event(number))
        await pilot.press(str(seat + 1))
        await pilot.pause()
        assert screen.query_one("#hand").display
        assert not screen.query_one("#reactions").display


# --- list, plot, table -------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_list_marks_the_present_moment_and_leads_to_another(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        await pilot.press("pagedown", "right", "right")
        now = screen.replay.place
        await pilot.press("e")
        await until(lambda: isinstance(app.screen, LogScreen))
        options = app.screen.query_one(OptionList)
        assert options.option_count == len(screen.replay.playback.moments)
        assert options.highlighted == now
        assert str(options.get_option_at_index(now).prompt).startswith("> ")
        await pilot.press("down", "down", "enter")
        await until(lambda: app.screen is screen)
        assert screen.replay.place == now + 2
        await pilot.press("l", "escape")
        await until(lambda: app.screen is screen)
        assert screen.replay.place == now + 2


@pytest.mark.asyncio
async def test_the_plot_takes_the_place_of_the_map_and_marks_the_round(
    tmp_path: Path, record: Record
) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        await pilot.press("p", "pagedown", "pagedown", "pagedown")
        await pilot.pause()
        assert not screen.query_one("#map").display
        lines = screen.query_one("#plot", TextPanel).lines
        assert lines[0] == "Positions over the rounds"
        columns = [line for line in lines if line.strip()[:1].isdecimal()]
        assert len(columns) == len(record.setup.cars)
        (mark,) = [line for line in lines if "^" in line]
        assert mark.index("^") == lines[2].index("3")
        await pilot.press("p")
        await pilot.pause()
        assert screen.query_one("#map").display


@pytest.mark.asyncio
async def test_the_table_of_results_is_a_key_away_and_leads_back(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        await pilot.press("t")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        assert "wins" in shown(pilot)
        assert "Watch the replay" not in shown(pilot)
        await pilot.press("escape")
        await until(lambda: app.screen is screen)
        await pilot.press("t")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        assert isinstance(app.screen, ResultsScreen)
        results = app.screen.results
        assert len(results.engine) == len(results.places), "of the player's own car, by its name"
        await pilot.press("1")
        await until(lambda: app.screen is screen)
        assert screen.replay.place == results.place_of(1)
        assert len(app.screen_stack) == 2, "the replay that was there, not one above it"


@pytest.mark.asyncio
async def test_a_record_that_stops_has_no_table_but_a_plot(tmp_path: Path, record: Record) -> None:
    part = stopped(record, 400)
    app = replay_app(tmp_path, part)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        await pilot.press("end", "p", "t")
        await pilot.pause()
        assert "there is no result" in panel(screen, "forecast")
        assert len(screen.query_one("#plot", TextPanel).lines) >= len(record.setup.cars)


@pytest.mark.asyncio
async def test_every_key_of_the_screen_works_at_every_moment(tmp_path: Path) -> None:
    box = LocalOptions(garage="mixed", expansion=True, weather=True)
    app = replay_app(tmp_path, raced(bots=1, legends=1, track="japan", box=box))
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        for place in (0, 3, screen.replay.playback.place_of_round(2) + 5, screen.replay.playback.last):
            for viewpoint in ("0", "1", "9"):
                screen.action_walk("to_moment", place)
                await pilot.press(viewpoint)
                for key in ("i", "o", "w", "question_mark"):
                    await pilot.press(key)
                    await pilot.pause()
                    if app.screen is not screen:
                        await pilot.press("escape")
                        await until(lambda: app.screen is screen)
                for key in ("plus", "minus", "comma", "full_stop", "f", "v", "v", "number_sign", "shift+up"):
                    await pilot.press(key)
                await pilot.pause()
        await pilot.press("q")
        await until(lambda: isinstance(app.screen, HomeScreen))


@pytest.mark.asyncio
async def test_pointing_at_a_space_tells_its_figures_until_one_walks_on(
    tmp_path: Path, record: Record
) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        await pilot.press("pagedown", "full_stop")
        await until(lambda: "corner line" in panel(screen, "forecast"))
        await pilot.press("right")
        await pilot.pause()
        assert "corner line" not in panel(screen, "forecast")


@pytest.mark.asyncio
async def test_plain_ascii_has_no_other_signs_but_the_maps_own(tmp_path: Path, record: Record) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), ascii=True))
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        await at_replay(pilot)
        for keys in (["pagedown", "pagedown", "down", "right", "right"], ["1"], ["p"], ["e"]):
            await pilot.press(*keys)
            await pilot.pause()
            assert shown(pilot).isascii()


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_record_without_a_seed_is_marked_at_every_moment(
    tmp_path: Path, record: Record, size: tuple[int, int]
) -> None:
    for one, is_marked in ((record, False), (without_seed(record.setup, record.events), True)):
        app = replay_app(tmp_path, one)
        async with app.run_test(size=size) as pilot:
            screen = await at_replay(pilot)
            for key, named in (("pagedown", "all hands"), ("1", "Ana"), ("end", "Ana")):
                await pilot.press(key)
                await pilot.pause()
                *_, transport = screen.query_one("#forecast", TextPanel).lines
                assert ("not verified" in transport) is is_marked
                assert named in transport
                assert screen.replay.count in transport
