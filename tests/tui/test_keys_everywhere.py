"""Chosen keys on every screen: each does what it should, and nothing still names another one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final

import msgspec
import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

import heat_tui
from heat_tui.keys.bindings import binding_key
from heat_tui.keys.palette import named_keys
from heat_tui.keys.table import KEY_USES, USUAL, Keys, sound_changes
from heat_tui.words.help_page import HELP
from heat_tui.words.replay_lines import KEYS
from tests.tui.doors import DOORS, AnyScreen, Door, go_through, screen_classes
from tests.tui.support_app import SMALL, folders_in
from tests.tui.support_keys import MOVED, Noting
from tests.tui.test_lesson import EVERY_HINT

WITH_KEYS: Final = [
    screen for screen in DOORS if any(binding.id in KEY_USES for _, binding in screen._merge_bindings())
]
EACH = pytest.mark.parametrize("screen", WITH_KEYS, ids=lambda screen: screen.__name__)

FOCUS: Final = frozenset({"app.focus_next", "app.focus_previous"})
"""What Tab does on screens that say nothing else; where there is nothing to go to it may be chosen."""


def bound_uses(screen: type[AnyScreen]) -> dict[str, Binding]:
    """Give what has a key of the player's choice on a screen, with the first of its bindings."""
    uses: dict[str, Binding] = {}
    for _, binding in screen._merge_bindings():
        if binding.id in KEY_USES:
            uses.setdefault(str(binding.id), binding)
    return uses


async def opened(pilot: Pilot[None], door: Door, changed: dict[str, str]) -> None:
    """Go to a screen by the usual keys, then let others hold."""
    app = pilot.app
    assert isinstance(app, Noting)
    await go_through(pilot, door)
    await pilot.pause(0.1)
    app.change_settings(msgspec.structs.replace(app.settings, keys=changed))
    await pilot.pause(0.1)


def noting_app(path: Path, door: Door) -> Noting:
    return Noting(folders_in(path), opening=door.opening, animate=False, player_name="Ana")


# --- the table ---------------------------------------------------------------------------------------------


def test_the_moved_keys_could_be_a_players_choice() -> None:
    assert sound_changes(MOVED) == MOVED
    usual = {key for use in KEY_USES.values() for key in use.usual}
    assert len(set(MOVED.values())) == len(MOVED)
    assert not usual & set(MOVED.values())


def test_the_usual_keys_obey_the_rules_for_chosen_ones() -> None:
    assert [use.name for use in KEY_USES.values() for key in use.usual if USUAL.why_not(use.name, key)] == []


def test_whatever_has_a_key_is_bound_to_it_somewhere_and_nothing_else_has_a_key_of_its_own() -> None:
    bound = {use for screen in screen_classes() for use in bound_uses(screen)}
    assert bound == set(KEY_USES)
    for screen in screen_classes():
        for _, binding in screen._merge_bindings():
            assert binding.id is None or binding.id in KEY_USES, (screen, binding)


@EACH
def test_the_table_knows_what_stands_on_one_screen(screen: type[AnyScreen]) -> None:
    """Two things that a screen knows apart must not come to have one key, nor one that the screen needs."""
    uses = bound_uses(screen)
    for (first, one), (second, other) in combinations(uses.items(), 2):
        common = set(KEY_USES[first].places) & set(KEY_USES[second].places)
        assert common or one.action == other.action, (first, second)
    without_name = [(key, binding) for key, binding in screen._merge_bindings() if not binding.id]
    fixed = {key for key, binding in without_name if binding.action not in FOCUS}
    for use in uses:
        assert [key for key in fixed if not USUAL.why_not(use, key)] == []


# --- every screen ------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@EACH
async def test_a_moved_key_does_what_the_usual_one_did(tmp_path: Path, screen: type[AnyScreen]) -> None:
    door = DOORS[screen]
    app = noting_app(tmp_path, door)
    async with app.run_test(size=SMALL) as pilot:
        await opened(pilot, door, MOVED)
        assert type(app.screen) is screen
        for use, binding in bound_uses(screen).items():
            app.noted = []
            await pilot.press(binding_key(MOVED[use]))
            await pilot.pause()
            assert app.noted[:1] == [binding.action], use
            app.noted = []
            await pilot.press(*(binding_key(key) for key in KEY_USES[use].usual))
            await pilot.pause()
            assert binding.action not in app.noted, f"the usual key of {use}"


@pytest.mark.asyncio
@EACH
async def test_footer_and_palette_name_the_moved_keys(tmp_path: Path, screen: type[AnyScreen]) -> None:
    door = DOORS[screen]
    app = noting_app(tmp_path, door)
    async with app.run_test(size=SMALL) as pilot:
        await opened(pilot, door, MOVED)
        for key in app.screen.query(FooterKey):
            use = app.screen.active_bindings[key.key].binding.id
            assert use not in KEY_USES or key.key_display == Keys(MOVED).told(str(use))
        bindings = [binding for _, binding in screen._merge_bindings()]
        told: dict[str, set[str]] = {}
        for binding in bindings:
            told.setdefault(binding.action, set()).add(app.get_key_display(binding))
        for _, key_told, action in named_keys(app.screen):
            assert key_told in told[action]


OLD_NAMES: Final = re.compile(r"(?<![\w'./{-])(?:[b-hj-z]|F\d+|Tab)(?![\w'}-])|(?<= )\?")
"""A key, by its looks: a letter by itself that is no word, a sign where no sentence ends."""

NO_KEYS_OF_CHOICE: Final = {
    "table.py: This key cannot be used. Choose a letter, a symbol, a function key, space or Tab.",
    "table.py: Text is typed there, so choose a function key, F1 to F24.",
    "dialogs.py: [ y  yes ]",
    "dialogs.py: [ n  no ]",
    "lobby_options.py: s (default)",
    "home.py: Tab, then Enter joins",
    "__main__.py: heat-tui %(version)s",
    "replays.py: %Y-%m-%d %H:%M",
    "places.py: %Y-%m-%d %H:%M",
    "last_results.py: %b %Y",
    r"chips.py: space \d+(?:(?:,| to| or) \d+)*",
    r"chips.py: speed \d+(?: to \d+)?",
    r"reactions.py: (?<!up )\bto (?:space )?\d+(?:-\d+| to \d+)?|(?<=stay on )space \d+",
    r"reactions.py: (?<=boost: )\d+ Heat|(?<=pay )\d+ Heat|(?<=pays )\d+ Heat|(?<=, )\d+ Heat",
    r"reactions.py: \+\S+(?: to \d+)? (?:speed|for flips)|\badds [\d-]+",
    r"reactions.py: \b(?:super )?cools? \d+(?: Heat)?",
    r"reactions.py: \bdiscard \d+ Stress",
    "standings.py: s",
}
"""What only looks so: answers to a question, seconds, speed, forms, patterns, and the key along them."""


def told_texts() -> Iterator[tuple[str, str]]:
    """Give the texts of the screens: what is written in two words at least and is no explanation for us."""
    root = Path(heat_tui.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if not {"plain", "commands"}.isdisjoint(path.relative_to(root).parts):
            continue
        tree = ast.parse(path.read_text())
        quiet = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quiet:
                yield path.name, node.value


def test_no_text_names_a_key_by_its_letter() -> None:
    told = [(text, f"{name}: {text.strip()}") for name, text in told_texts() if " " in text]
    assert {shown for text, shown in told if OLD_NAMES.search(text)} == NO_KEYS_OF_CHOICE


def test_pages_and_hints_name_only_what_there_is() -> None:
    keys = Keys(MOVED)
    pages = [part for row in (*HELP, *KEYS) for part in row[:2]]
    for text in (*pages, *(part for hint in EVERY_HINT for part in (hint.text, hint.doing))):
        filled = keys.fill(text)
        assert "{" not in filled
        assert (filled != text) == ("{" in text)
