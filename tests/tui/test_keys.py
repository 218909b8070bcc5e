"""The keys that a player chooses: how they are chosen, kept, told, and what they do in a race."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.rules.offers import GearOption
from heat_tui.app import HeatApp
from heat_tui.keys.table import GROUPS, KEY_USES, USUAL, Keys, sound_changes
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.keys import KeysScreen, PressKeyScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.rows import ActionRow
from heat_tui.screens.settings import SettingsScreen
from heat_tui.state import Settings, load_settings, save_settings
from heat_tui.words.help_page import HELP, page_of_keys
from heat_tui.words.key_line import keys_for, told_line, with_modules
from heat_tui.words.replay_lines import FIRST_KEYS
from tests.tui.doors import DOORS, door_app, go_through
from tests.tui.support_app import SMALL, folders_in, message, shown, until
from tests.tui.support_keys import LONG, MOVED
from tests.tui.support_race import DRAW, begin, on_to, race_app

BEHIND = {
    "Ana": f"lap 1 space 14 gear 1 engine 3 hand 1 2 3 4 heat heat heat {DRAW}",
    "Ben": f"lap 1 space 40 gear 1 engine 6 hand 1 1 2 2 3 3 {DRAW}",
}
"""Ana is last: she may cool, and take the adrenaline."""


def choosing_app(path: Path, keys: dict[str, str] | None = None) -> HeatApp:
    save_settings(folders_in(path), Settings(keys=keys or {}))
    return HeatApp(folders_in(path), opening=lambda app: app.action_choose_keys(), player_name="Ana")


async def stands(pilot: Pilot[None]) -> None:
    """Wait until the list of keys is on the screen."""
    await until(lambda: isinstance(pilot.app.screen, KeysScreen) and pilot.app.screen.query(OptionList))
    await pilot.pause()


async def choose(pilot: Pilot[None], use: str, *keys: str) -> None:
    """Choose a line, and press keys for it until one is taken."""
    screen = pilot.app.screen
    assert isinstance(screen, KeysScreen)
    uses = screen.query_one(OptionList)
    uses.highlighted = uses.get_option_index(use)
    await pilot.press("enter")
    await until(lambda: isinstance(pilot.app.screen, PressKeyScreen))
    for key in keys:
        pilot.app.screen.post_message(key_event(key))
        await pilot.pause()


def key_event(key: str) -> events.Key:
    """Make what a terminal makes of a key."""
    names = {"§": "section_sign", ",": "comma", "+": "plus", "?": "question_mark", "-": "minus", " ": "space"}
    return events.Key(names.get(key, key), key if len(key) == 1 else None)


def kept(app: HeatApp) -> dict[str, str]:
    return load_settings(app.folders).keys


def line_of(app: HeatApp, use: str) -> str:
    return str(app.screen.query_one(OptionList).get_option(use).prompt)


# --- choosing ----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize("key", ["J", "Y", "ö", "§", "<", ";", "f7", "backspace", "space", "f24", "%"])
async def test_a_key_is_chosen_by_pressing_it_and_is_kept(tmp_path: Path, key: str) -> None:
    app = choosing_app(tmp_path, {"race.done": "j"})
    async with app.run_test(size=SMALL) as pilot:
        await stands(pilot)
        await choose(pilot, "race.boost", key)
        await until(lambda: isinstance(app.screen, KeysScreen))
        assert message(app) == "Saved."
        assert line_of(app, "race.boost").split()[0] == "*"
        assert line_of(app, "race.boost").split()[-2:] == [USUAL.told_key(key), "b"]
    assert kept(app) == {"race.done": "j", "race.boost": key}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("use", "key", "why"),
    [
        ("race.boost", "a", "a is taken in a race: Adrenaline."),
        ("race.boost", "=", "= is taken in a race: Zoom in."),
        ("map.follow", "e", "e is taken in a race: Accelerate."),
        ("map.follow", "S", "S is taken in a replay: Slower."),
        ("lobby.bot", "r", "r is taken in a lobby: Ready."),
        ("race.boost", "enter", "Enter cannot be changed. Choose another key."),
        ("race.boost", "left", "Left arrow cannot be changed. Choose another key."),
        ("race.boost", "7", "Digits cannot be changed. Choose another key."),
        ("race.boost", "shift+up", "This key cannot be used. Choose a letter, a symbol, a function key,"),
        ("race.boost", "ctrl+a", "This key cannot be used. Choose a letter, a symbol, a function key,"),
        ("lobby.bot", "space", "space is needed for rows and pages there. Choose another key."),
        ("chat.bravo", "J", "Text is typed there, so choose a function key, F1 to F24."),
        ("chat.bravo", "f3", "F3 is taken in the chat: ouch."),
        ("race.chat", "f3", "F3 is taken in the chat: ouch."),
    ],
)
async def test_a_key_that_cannot_be_is_refused_with_the_reason(
    tmp_path: Path, use: str, key: str, why: str
) -> None:
    app = choosing_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await stands(pilot)
        await choose(pilot, use, key)
        await until(lambda: why[:40] in shown(pilot))
        assert isinstance(app.screen, PressKeyScreen), "another key may be pressed"
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, KeysScreen))
        assert app.keys.changed == {}
    assert USUAL.why_not(use, key).startswith(why)


@pytest.mark.asyncio
async def test_usual_keys_come_back_one_by_one_or_all_together(tmp_path: Path) -> None:
    app = choosing_app(tmp_path, {"race.boost": "J", "race.adrenaline": "b", "map.follow": "j"})
    async with app.run_test(size=SMALL) as pilot:
        await stands(pilot)
        uses = app.screen.query_one(OptionList)
        uses.highlighted = uses.get_option_index("race.boost")
        await pilot.press("x")
        assert message(app) == "b is taken in a race: Adrenaline."
        uses.highlighted = uses.get_option_index("race.adrenaline")
        await pilot.press("x")
        await until(lambda: message(app) == "Saved.")
        assert kept(app) == {"race.boost": "J", "map.follow": "j"}
        await choose(pilot, "race.boost", "b")
        await until(lambda: isinstance(app.screen, KeysScreen))
        assert kept(app) == {"map.follow": "j"}, "a usual key is no change"
        await pilot.press("a")
        await until(lambda: "You lose 1 change" in shown(pilot))
        await pilot.press("y")
        await until(lambda: isinstance(app.screen, KeysScreen))
        assert kept(app) == {}
        await pilot.press("a")
        assert message(app) == "All keys are the default ones."


@pytest.mark.asyncio
async def test_keys_are_chosen_by_mouse_too(tmp_path: Path) -> None:
    app = choosing_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await stands(pilot)
        row = next(n for n, line in enumerate(shown(pilot).split("\n")) if " Boost " in line)
        await pilot.click(offset=(10, row))
        await until(lambda: isinstance(app.screen, PressKeyScreen))
        assert "Press the new key for: Boost (now b)" in shown(pilot)
        await pilot.click(app.screen.query_one("#leave", ActionRow))
        await until(lambda: isinstance(app.screen, KeysScreen))
        await pilot.click(offset=(10, row))
        await until(lambda: isinstance(app.screen, PressKeyScreen))
        await pilot.press("J")
        await until(lambda: isinstance(app.screen, KeysScreen))
    assert kept(app) == {"race.boost": "J"}


@pytest.mark.asyncio
async def test_the_settings_count_what_is_changed_and_lead_to_the_keys(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("s")
        await until(lambda: isinstance(app.screen, SettingsScreen))
        assert "Keys         [ default keys ]" in shown(pilot)
        app.screen.query_one("#keys").focus()
        await pilot.press("enter")
        await stands(pilot)
        await choose(pilot, "race.boost", "J")
        await until(lambda: isinstance(app.screen, KeysScreen))
        await pilot.press("escape")
        await until(lambda: "Keys        ▶[ 1 changed ]" in shown(pilot))


# --- telling -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "choice",
    [
        None,
        GearChoice((GearOption(1, 0),)),
        CardsChoice((), 2, is_cluttered=False),
        DiscardChoice((), 2),
        ReactChoice((), ()),
        ValueChoice((), ()),
        UnpaidChoice(()),
        PickChoice(()),
        SwapChoice((), ()),
        SlipstreamChoice((0, 2), (16, 18)),
    ],
    ids=lambda choice: type(choice).__name__,
)
def test_the_line_of_keys_fits_whatever_the_names(choice: Choice | None, width: int) -> None:
    assert sound_changes(LONG) == LONG
    names = Keys(LONG)
    for is_salvaging in (False, isinstance(choice, ReactChoice)):
        keys = keys_for(choice, is_chosen=True, is_salvaging=is_salvaging)
        keys = with_modules(keys, width, has_chat=True, has_weather=True, has_cards=True, names=names)
        line, hits = told_line(keys, width, names)
        assert len(line.plain.rstrip()) <= width
        assert "space keys" in line.plain
        assert choice is None or "Enter " in line.plain
        for row, first, last, action in hits:
            assert row == 0
            assert line.plain[last : last + 2].isspace(), action
            assert line.plain[first - 1] == " " != line.plain[first], action
    line, _ = told_line(FIRST_KEYS, width, names)
    assert len(line.plain.rstrip()) <= width
    assert "space keys" in line.plain


def test_the_page_of_keys_stands_in_two_columns_whatever_the_names() -> None:
    rows = [(row.keys, row.text) for row in HELP]
    lines = [line.plain for line in page_of_keys(rows, Keys(LONG))]
    texts = [Keys(LONG).fill(text) for _, text in rows]
    columns = {line.rindex(text) for line, text in zip(lines, texts, strict=True)}
    assert len(columns) == 1


@pytest.mark.asyncio
async def test_a_change_in_mid_race_holds_at_once_and_all_that_is_open_names_it(tmp_path: Path) -> None:
    app = race_app(tmp_path, BEHIND)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "u back" in app.panel("keys")
        await pilot.press("1")
        app.action_choose_keys()
        await stands(pilot)
        await choose(pilot, "race.take_back", "ö")
        await until(lambda: isinstance(app.screen, KeysScreen))
        await pilot.press("escape")
        await until(lambda: app.screen is app.race)
        assert "ö back" in app.panel("keys")
        assert app.controller.draft is not None
        assert app.controller.draft.picked == [0]
        await pilot.press("u")
        assert app.controller.draft.picked == [0]
        await pilot.press("ö")
        assert app.controller.draft.picked == []


@pytest.mark.asyncio
async def test_reactions_are_listed_and_used_with_the_moved_keys(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(keys=MOVED))
    app = race_app(tmp_path, BEHIND)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("2", "enter")
        await on_to(pilot, app, "5 REACT")
        rows = app.panel("reactions").split("\n")
        cool, adrenaline = MOVED["race.cool"], MOVED["race.adrenaline"]
        assert [row.split()[0] for row in rows if " Heat" in row] == [cool, "A"]
        assert [row.split()[0] for row in rows if "speed" in row] == [adrenaline]
        assert f"up/down/{cool}/{adrenaline} select" in app.panel("keys")
        assert app.panel("dashboard").endswith(f" {MOVED['view.piles']} look")
        assert app.controller.draft is not None
        await pilot.press("c", "a")
        assert app.controller.draft.row == -1, "the usual keys do nothing"
        await pilot.press(adrenaline)
        assert app.controller.draft.row == 1
        await pilot.press(MOVED["race.done"])
        await until(lambda: "REACT" not in app.panel("banner"))


@pytest.mark.asyncio
async def test_the_lesson_names_the_moved_keys(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(keys=MOVED))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.action_learn(), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.query("LessonBox"))
        await until(lambda: app.screen.query_one("#lesson").display)
        await pilot.pause()
        end = MOVED["race.end_hints"]
        region = app.screen.query_one("#lesson").region
        rows = [shown(pilot).splitlines()[row][: region.width] for row in region.line_range]
        assert f"{end} ends the hints." in " ".join(" ".join(rows).split())
        await pilot.press("k")
        assert isinstance(app.screen, RaceScreen)
        assert app.screen.controller.lesson is not None
        await pilot.press(end)
        assert app.screen.controller.lesson is None


@pytest.mark.asyncio
async def test_a_letter_for_the_chat_is_written_there_and_escape_closes_it(tmp_path: Path) -> None:
    door = DOORS[LobbyScreen]
    app = door_app(tmp_path, door)
    async with app.run_test(size=SMALL) as pilot:
        await go_through(pilot, door)
        await until(lambda: "Chat (t)" in shown(pilot))
        changed = {"race.chat": "J", "room.chat": "ö", "lobby.kick": "j"}
        app.change_settings(msgspec.structs.replace(app.settings, keys=changed))
        await until(lambda: "Chat (ö)" in shown(pilot))
        assert "Remove (j)" in shown(pilot)
        lobby = app.screen
        await pilot.press("ö")
        await until(lambda: app.screen is not lobby and app.screen.query(Input))
        await pilot.press("J", "ö", "t")
        assert app.screen.query_one(Input).value == "Jöt"
        await pilot.press("escape")
        await until(lambda: app.screen is lobby)


@pytest.mark.asyncio
async def test_the_footer_of_a_screen_below_follows_too(tmp_path: Path) -> None:
    door = DOORS[LobbyScreen]
    app = door_app(tmp_path, door)
    async with app.run_test(size=SMALL) as pilot:
        await go_through(pilot, door)
        await until(lambda: "b +Bot" in shown(pilot))
        app.action_choose_keys()
        await stands(pilot)
        await choose(pilot, "lobby.bot", "ö")
        await until(lambda: isinstance(app.screen, KeysScreen))
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, LobbyScreen))
        await until(lambda: "ö +Bot" in shown(pilot))
        assert "b +Bot" not in shown(pilot)


def test_each_use_has_a_heading_and_texts_know_no_other() -> None:
    assert {use.group for use in KEY_USES.values()} == set(GROUPS)
    with pytest.raises(KeyError):
        USUAL.fill("{race.fly}")
