"""The keys that a player chose, in the settings: only what differs, and only what can be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heat_tui.keys.table import Keys, pressed_key, sound_changes, why_unusable
from heat_tui.state import Settings, load_settings, save_settings
from tests.tui.support_app import folders_in


@pytest.mark.parametrize(
    ("found", "sound"),
    [
        ({"race.boost": "J"}, {"race.boost": "J"}),
        ({"race.boost": "F7"}, {"race.boost": "f7"}),
        ({"race.boost": "b"}, {}),
        ({"race.boost": "a", "race.adrenaline": "b"}, {"race.boost": "a", "race.adrenaline": "b"}),
        ({"race.boost": "a"}, {}),
        ({"race.boost": "J", "race.cool": "J", "map.follow": "j"}, {"map.follow": "j"}),
        ({"race.boost": "a", "race.adrenaline": "enter"}, {}),
        ({"race.boost": "a", "race.adrenaline": "c", "race.cool": "1"}, {}),
        ({"race.boost": 7, "race.cool": None, "race.pay": "", "race.fly": "J"}, {}),
        ({"race.boost": "ctrl+c", "race.cool": "question_mark", "race.pay": "yy", "race.scrap": "\n"}, {}),
        ({"chat.bravo": "J", "lobby.bot": "tab", "race.cool": "漢"}, {}),
        ({"map.zoom_in": "="}, {"map.zoom_in": "="}),
        ({"map.zoom_in": "J", "map.follow": "+"}, {"map.zoom_in": "J", "map.follow": "+"}),
        ([["race.boost", "J"]], {}),
        (None, {}),
        ("J", {}),
    ],
)
def test_what_cannot_be_a_choice_counts_as_absent(
    tmp_path: Path, found: object, sound: dict[str, str]
) -> None:
    assert sound_changes(found) == sound
    path = folders_in(tmp_path).config / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"name": "Zoe", "keys": found}))
    assert load_settings(folders_in(tmp_path)) == Settings(name="Zoe", keys=sound)


def test_only_differences_are_kept(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings())
    assert json.loads((folders_in(tmp_path).config / "settings.json").read_text()) == {}
    assert Keys({"race.boost": "J"}).with_key("race.boost", "b") == {}
    assert Keys({"race.boost": "J"}).with_key("race.cool", "j") == {"race.boost": "J", "race.cool": "j"}


def test_keys_are_kept_as_what_they_type_or_by_name() -> None:
    assert pressed_key("question_mark", "?") == "?"
    assert pressed_key("section_sign", "§") == "§"
    assert pressed_key("ö", "ö") == "ö"
    assert pressed_key("space", " ") == "space"
    assert pressed_key("tab", "\t") == "tab"
    assert pressed_key("f8", None) == "f8"
    assert not why_unusable("ö")
    assert why_unusable("²")
    assert why_unusable(" ")
    assert Keys({"race.boost": "ö"}, is_ascii=True).fill("{race.boost} boosts") == "U+00F6 boosts"
