"""Whole races on the race screen: by keys alone, by mouse alone, and in every kind of terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest
from rich.color import ColorType
from textual import constants
from textual.pilot import Pilot

from heat_core.options.table_options import LocalOptions
from heat_core.race import commands as c
from heat_core.race.commands import Command
from heat_core.view.defaults import default_command
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.race.draft import DONE
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.state import Settings, save_settings
from heat_tui.widgets.panel import TextPanel
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_race import RaceApp, begin, keys_of, own_decision

HUGE = (200, 60)
MOST_DECISIONS = 400


def race_of(path: Path) -> RaceApp:
    """Set up a short race of Ana, two bots and two Legends."""
    options = LocalOptions(names=("Ana",), bots=("steady",) * 2, legends=2, laps=1, seed="whole")
    return RaceApp(path, LocalSession(make_table(options)))


def actions_of(command: Command, hand: tuple[str, ...]) -> Iterator[str]:
    """Give what must be clicked, one after the other, to say a command on a screen with nothing picked."""
    match command:
        case c.ShiftGear():
            yield f"gear({command.gear})"
        case c.PlayCards() | c.Discard():
            left = list(hand)
            for card in command.cards:
                place = left.index(card)
                left[place] = "picked"
                yield f"card({place + 1})"
        case c.Slipstream():
            yield f"press({command.spaces})"
        case _:
            yield f"press({DONE})"
    yield "confirm"


async def click_on(pilot: Pilot[None], action: str) -> None:
    """Click where the screen says that a click does this."""
    for panel in pilot.app.screen.query(TextPanel):
        for row, first, behind, other in panel._hits:
            if other == action and panel.display and panel.content_region.height > row:
                region = panel.content_region
                await pilot.click(
                    offset=(region.x + (first + min(behind, region.width)) // 2, region.y + row)
                )
                return
    raise AssertionError(f"no place to click for {action}:\n{shown(pilot)}")


async def drive(pilot: Pilot[None], *, by_mouse: bool, look: Callable[[], None] = lambda: None) -> None:
    """Answer every decision of a race as the server would for a seat that sleeps, up to its results."""
    app = pilot.app
    assert isinstance(app, RaceApp)
    race = app.race
    for _ in range(MOST_DECISIONS):
        await until(lambda: own_decision(race) is not None or race.controller.view.status == "ended")
        await pilot.pause()
        look()
        if race.controller.view.status == "ended":
            break
        observation, decision = race.controller.observation, own_decision(race)
        assert observation is not None
        command = default_command(observation)
        if by_mouse:
            for action in actions_of(command, observation.own.hand):
                if own_decision(race) == decision:
                    await click_on(pilot, action)
        else:
            await pilot.press(*keys_of(command, observation.own.hand))
        await until(partial(_is_past, race, decision))
    assert race.controller.view.status == "ended"
    if by_mouse:
        await click_on(pilot, "confirm")
    else:
        await pilot.press("enter")
    await until(lambda: isinstance(app.screen, ResultsScreen))


def _is_past(race: RaceScreen, decision: int | None) -> bool:
    return own_decision(race) != decision or race.controller.view.status == "ended"


@pytest.mark.asyncio
@pytest.mark.parametrize(("size", "by_mouse"), [(SMALL, True), (LARGE, True), (LARGE, False)])
async def test_a_whole_race_by_keys_or_by_mouse_alone(
    tmp_path: Path, size: tuple[int, int], by_mouse: bool
) -> None:
    """By keys at 80 columns: see the next test."""
    app = race_of(tmp_path)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await drive(pilot, by_mouse=by_mouse)


@pytest.mark.asyncio
@pytest.mark.spec("BOARD-8")
@pytest.mark.parametrize("kind", ["16 colours", "no colour", "ascii"])
async def test_a_whole_race_at_80_columns_in_every_kind_of_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if kind == "16 colours":
        monkeypatch.setattr(constants, "COLOR_SYSTEM", "standard")
    elif kind == "no colour":
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), ascii=True))
    app = race_of(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)

        def look() -> None:
            text = shown(pilot)
            track_map = app.race.track_map
            if 0 in track_map._pane.over.cells:
                assert app.controller.labels.letters[0] in track_map.render_line(_line_of(app, 0)).text
            for panel in ("banner", "standings", "keys"):
                assert all(line.strip() in text for line in app.panel(panel).split("\n")), panel
            if kind == "ascii":
                assert text.isascii()
            for y in range(track_map.size.height):
                for segment in track_map.render_line(y):
                    assert segment.style is not None
                    colours = (segment.style.color, segment.style.bgcolor)
                    if kind != "16 colours":
                        own = track_map.rich_style
                        assert colours == (own.color, own.bgcolor), "none but the panel's"
                    elif app.console.color_system == "standard":
                        told = [colour.downgrade(app.console._color_system) for colour in colours if colour]
                        assert all(colour.type is ColorType.STANDARD for colour in told)

        modes = {"16 colours": "ansi16", "no colour": "mono", "ascii": "ascii"}
        assert app.race.track_map.look.mode == modes[kind]
        await drive(pilot, by_mouse=False, look=look)


def _line_of(app: RaceApp, car: int) -> int:
    """Give the line of the panel in which a car's letter stands."""
    row = app.race.track_map._pane.over.cells[car][1]
    return row - app.race.track_map.view_offset[1]
