"""Single settings on top of a preset: their table, their words, and that each one does what it says."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len

from heat_core.engine import start_race
from heat_core.options.settings import (
    BY_NAME,
    SETTINGS,
    BadSetting,
    Setting,
    UnknownSetting,
    UnknownValue,
    changed_settings,
    changes_of,
    make_rules,
    parse_changes,
)
from heat_core.race.presets import PRESETS, Rules
from tests.core.support import RandomPlay, setup_of


def test_every_field_of_the_rules_is_a_setting_and_every_value_fits_its_field() -> None:
    assert {setting.name for setting in SETTINGS} == {*Rules.__struct_fields__} - {"preset"}
    for setting, preset in product(SETTINGS, PRESETS):
        words = [value.word for value in setting.values]
        assert len(words) == len(set(words)) >= 2
        assert setting.word_in(PRESETS[preset]) in words
        for value in setting.values:
            rules = make_rules(preset, {setting.name: value.word})
            assert msgspec.convert(msgspec.to_builtins(rules), Rules) == rules
            assert (getattr(rules, setting.name), setting.word_in(rules)) == (value.value, value.word)
            assert setting.label_in(rules) == value.label


def test_labels_fit_their_column() -> None:
    for setting in SETTINGS:
        assert 1 <= cell_len(setting.label) <= 12
        assert all(cell_len(f"{setting.label}: {value.label}") <= 34 for value in setting.values)
        assert len({value.label for value in setting.values}) == len(setting.values)


def test_the_page_about_options_lists_every_setting_with_its_values() -> None:
    text = (Path(__file__).parents[2] / "docs" / "options.md").read_text(encoding="utf-8")
    for setting in SETTINGS:
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{setting.name}` |")]
        _, _, values, usual, _ = row.split("|")
        assert re.findall(r"`(\w+)`", values) == [value.word for value in setting.values]
        assert re.findall(r"`(\w+)`", usual) == [setting.word_in(rules) for rules in PRESETS.values()]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_changes_are_what_differs_from_the_preset(preset: str) -> None:
    usual = PRESETS[preset]  # type: ignore[index]  # a preset's name
    assert changes_of(usual) == {}
    words = {setting.name: setting.word_in(usual) for setting in SETTINGS}
    assert make_rules(usual.preset, words) == usual, "the preset's own values change nothing"
    others = {
        setting.name: next(value.word for value in setting.values if value.word != words[setting.name])
        for setting in SETTINGS
    }
    rules = make_rules(usual.preset, others)
    assert changes_of(rules) == others
    assert changed_settings(rules) == list(SETTINGS)
    assert make_rules(rules.preset, changes_of(rules)) == rules


def test_wrong_names_and_values_are_refused_without_repeating_them() -> None:
    for name in ("hand", "preset", "HAND_SIZE", "", "\x1b[2J"):
        with pytest.raises(UnknownSetting) as refused:
            make_rules("standard", {name: "7"})
        assert str(refused.value).startswith("There is no such setting. The settings are boost_gears, ")
    for value in ("5", "9", "", "seven", "\x1b[2J"):
        with pytest.raises(UnknownValue) as bad:
            make_rules("standard", {"hand_size": value})
        assert str(bad.value) == "The setting hand_size can be 6, 7 or 8."


def test_changes_as_they_are_typed() -> None:
    assert parse_changes([]) == {}
    assert parse_changes(["hand_size=6", " most_cars = 8", "hand_size=8"]) == {
        "hand_size": "8",
        "most_cars": "8",
    }
    with pytest.raises(BadSetting, match="name=value"):
        parse_changes(["hand_size"])


@pytest.mark.parametrize("size", BY_NAME["hand_size"].values)
def test_the_hand_is_drawn_up_to_its_size(size: object) -> None:
    assert isinstance(size, tuple)
    race, _ = start_race(setup_of(rules=make_rules("rulebook", {"hand_size": size[0]})))
    assert [len(race.seat(number).hand) for number in race.seats()] == [size[1]] * 2


@pytest.mark.parametrize("setting", SETTINGS, ids=list(BY_NAME))
@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_race_with_any_single_setting_is_played_to_its_end(preset: str, setting: Setting) -> None:
    for value in setting.values:
        rules = make_rules(PRESETS[preset].preset, {setting.name: value.word})  # type: ignore[index]
        setup = setup_of(
            "italy", seats=3, legends=1, laps=1, seed=f"{setting.name}/{value.word}", rules=rules
        )
        game = RandomPlay(setup, value.word)
        assert game.run().status == "ended"
        game.check_record()
