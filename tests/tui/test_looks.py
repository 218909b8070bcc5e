"""What holds of the looks of all screens: nothing is cut, run together, hidden or named in two ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Label
from textual.widgets._footer import FooterKey

from heat_tui.app import HeatApp
from heat_tui.screens.dialogs import Hanging
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.keys import KeysScreen
from heat_tui.screens.log import LogScreen
from heat_tui.screens.new_championship import NewChampionshipScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.replays import ReplaysScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.rows import LABEL_CELLS, ChoiceRow
from heat_tui.state import Settings, save_settings
from heat_tui.words.key_line import told_line
from heat_tui.words.replay_lines import FIRST_KEYS
from tests.tui.doors import DOORS, AnyScreen, door_app, go_through
from tests.tui.scenes import SCENES, Scene, settled
from tests.tui.support_app import LARGE, SMALL, folders_in, shown
from tests.tui.support_race import RaceApp, begin

pytestmark = pytest.mark.asyncio

EACH = pytest.mark.parametrize("screen", DOORS, ids=lambda screen: screen.__name__)
DIALOGS = [screen for screen in DOORS if issubclass(screen, ModalScreen)]


def scene(name: str) -> Scene:
    return next(one for one in SCENES if one.name == name)


@EACH
async def test_footers_and_labels_fit_and_keys_have_one_name_everywhere(
    tmp_path: Path, screen: type[AnyScreen]
) -> None:
    app = door_app(tmp_path, DOORS[screen])
    async with app.run_test(size=SMALL) as pilot:
        await go_through(pilot, DOORS[screen])
        await settled(pilot, screen)
        for footer in app.screen.query(Footer):
            for key in footer.query(FooterKey):
                assert key.region.right <= SMALL[0], key.description
                assert key.key_display not in ("esc", "⏎", "enter", "pgup", "pgdn", "tab"), key.key_display
                assert not (key.key_display[0] == "f" and key.key_display[1:].isdecimal())
        for row in app.screen.query(ChoiceRow):
            assert cell_len(row.label) < LABEL_CELLS, row.label
        for label in app.screen.query("TextRow Label").results(Label):
            assert cell_len(str(label.render())) < LABEL_CELLS


@pytest.mark.parametrize("screen", DIALOGS, ids=lambda screen: screen.__name__)
async def test_what_lies_below_a_dialog_stays_to_be_seen(tmp_path: Path, screen: type[AnyScreen]) -> None:
    app = door_app(tmp_path, DOORS[screen])
    async with app.run_test(size=(100, 50)) as pilot:
        await go_through(pilot, DOORS[screen])
        await settled(pilot, screen)
        first = next(line for line in shown(pilot).split("\n") if line.strip())
        assert any(name in first for name in ("Room KXFRM", "USA", "Keys", "Party", "█  █ █▀▀ ▄▀▀▄ ▀█▀"))


@pytest.mark.parametrize("is_ascii", [True, False], ids=["ascii", "no-colour"])
async def test_below_a_dialog_a_map_without_colours_is_dimmed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_ascii: bool
) -> None:
    if is_ascii:
        save_settings(folders_in(tmp_path), Settings(ascii=True))
    else:
        monkeypatch.setenv("NO_COLOR", "1")
    leaving = scene("leave")
    app = leaving.app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await begin(pilot)
        seen = _brightest(app, "/" if is_ascii else "█")
        await leaving.act(pilot)
        await settled(pilot, leaving.screen)
        assert _brightest(app, "/" if is_ascii else "█") < seen / 2


def _brightest(app: HeatApp, sign: str) -> int:
    """Say how bright a sign of the map is at most; its colours must be given."""
    found = []
    for strip in app.screen._compositor.render_strips()[1:5]:
        for segment in strip:
            if sign in segment.text:
                assert segment.style is not None
                assert segment.style.color is not None
                assert segment.style.color.triplet is not None
                found.append(sum(segment.style.color.triplet))
    return max(found)


@pytest.mark.parametrize(
    ("screen", "what"),
    [(HomeScreen, "Choose"), (ReplaysScreen, "Watch"), (LogScreen, "Go there"), (KeysScreen, "Choose a key")],
)
async def test_the_footer_of_a_list_tells_what_enter_does(
    tmp_path: Path, screen: type[AnyScreen], what: str
) -> None:
    app = door_app(tmp_path, DOORS[screen])
    async with app.run_test(size=SMALL) as pilot:
        await go_through(pilot, DOORS[screen])
        await settled(pilot, screen)
        assert f"Enter {what}" in shown(pilot).split("\n")[-1]


async def test_the_results_of_a_replay_lead_back_to_it(tmp_path: Path) -> None:
    replay = scene("replay-results")
    app = replay.app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await replay.act(pilot)
        for key in ("enter", "escape"):
            await settled(pilot, ResultsScreen)
            assert "Enter Back" in shown(pilot)
            assert "Home" not in shown(pilot)
            await pilot.press(key)
            await settled(pilot, ReplayScreen)
            await pilot.press("t")


@pytest.mark.parametrize(("width", "is_there"), [(80, False), (100, True)])
async def test_of_the_keys_of_a_replay_the_last_is_whole(width: int, is_there: bool) -> None:
    line, hits = told_line(FIRST_KEYS, width)
    assert line.plain.rstrip().endswith("q back")
    assert cell_len(line.plain.rstrip()) <= width
    assert ("x export" in line.plain) is is_there
    assert line.plain[hits[-1][1] : hits[-1][2]] == "q back"


async def test_where_there_is_room_the_garage_explains_every_open_card(tmp_path: Path) -> None:
    app = scene("garage").app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "limit is 1 higher" not in shown(pilot)
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        await pilot.pause()
        assert "limit is 1 higher" in shown(pilot)


async def test_where_there_is_room_a_championship_draws_its_circuits(tmp_path: Path) -> None:
    app = scene("new-championship").app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot, NewChampionshipScreen)
        assert shown(pilot).count("2. USA") == 1
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        await pilot.pause()
        text = shown(pilot)
        assert text.count("2. USA") == 2
        assert sum("▀" <= sign <= "▟" for sign in text) > 100


@pytest.mark.parametrize("size", [LARGE, (200, 60)])
async def test_where_there_is_room_gears_and_costs_stand_apart(tmp_path: Path, size: tuple[int, int]) -> None:
    app = scene("gear").app(tmp_path)
    assert isinstance(app, RaceApp)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.resize_terminal(*size)
        await settled(pilot, RaceScreen)
        await pilot.press("right", "right")
        await pilot.pause()
        lever = next(line for line in app.panel("dashboard").split("\n") if "gear " in line)
        assert "free ‹3›1▮" in lever
        assert lever.rstrip().endswith(" 4"), "and nothing is cut"


async def test_a_chat_that_comes_into_sight_is_read(tmp_path: Path) -> None:
    app = scene("race-with-others").app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot, RaceScreen)
        assert "new: Tab" in shown(pilot).split("\n")[0]
        await pilot.resize_terminal(*LARGE)
        await settled(pilot, RaceScreen)
        assert "new: Tab" not in shown(pilot).split("\n")[0]


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        ("q, Escape   leave (asks first)", ["q, Escape   leave", "            (asks", "            first)"]),
        ("  Speed 0 and more than that", ["  Speed 0 and more", "  than that"]),
        ("no heading but words to fold", ["no heading but", "words to fold"]),
        ("", [""]),
    ],
)
async def test_what_is_folded_stands_below_its_text(line: str, folded: list[str]) -> None:
    console = Console(width=18)
    with console.capture() as captured:
        console.print(Hanging([Text(line)]))
    assert [row.rstrip() for row in captured.get().split("\n")[:-1]] == folded


async def test_a_page_names_keys_that_scroll_only_where_there_is_more(tmp_path: Path) -> None:
    for name, has_more in (("keys", False), ("cards-explained", True)):
        page = scene(name)
        app = page.app(tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await page.act(pilot)
            await settled(pilot, page.screen)
            assert bool(app.screen.query_one(VerticalScroll).max_scroll_y) is has_more
            assert ("PgDn" in shown(pilot).split("\n")[-1]) is has_more
