"""One whole race for each track and preset, told in sentences, as it was when last looked at."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from heat_core.files import load_track, track_names
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.sentences.events import sentence
from heat_core.simulation import make_table, play_out
from heat_core.track import compile_track

FOLDER = Path(__file__).parent / "races"
DRIVERS = ["steady", "steady", "random", "legend:easy", "legend:medium", "legend:hard"]


def tell_race(track_name: str, preset: PresetName, modules: Modules = BASE_GAME) -> list[str]:
    facts = load_track(track_name)
    table = make_table(facts, 1, DRIVERS, PRESETS[preset], f"golden/{track_name}/{preset}", modules)
    play_out(table)
    names = [car.name for car in table.setup.cars]
    told = (sentence(event, names, compile_track(facts)) for event in table.log)
    return [line + "." for line in told if line]


MIXES = {
    "japan-standard-box": Modules(garage="mixed", expansion=True, weather=True),
    "mexico-rulebook-box": Modules(garage="advanced", weather=True),
}
"""Races with modules: name of the file, with board and preset, and what they have."""


def assert_same_lines(told: list[str], golden: list[str], where: str) -> None:
    for number, (now, then) in enumerate(zip_longest(told, golden), start=1):
        assert now == then, f"{where}, line {number} differs:\n  golden: {then}\n  now:    {now}"


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("track_name", track_names())
def test_race_is_told_as_before(track_name: str, preset: PresetName, regenerate_golden: bool) -> None:
    path = FOLDER / f"{track_name}-{preset}.txt"
    told = tell_race(track_name, preset)
    if regenerate_golden:
        path.write_text("\n".join(told) + "\n", encoding="utf-8")
    assert_same_lines(told, path.read_text(encoding="utf-8").splitlines(), path.name)


@pytest.mark.parametrize("name", list(MIXES))
def test_race_with_modules_is_told_as_before(name: str, regenerate_golden: bool) -> None:
    track_name, preset, _ = name.split("-")
    path = FOLDER / f"{name}.txt"
    told = tell_race(track_name, preset, MIXES[name])  # type: ignore[arg-type]  # because a name holds a preset
    if regenerate_golden:
        path.write_text("\n".join(told) + "\n", encoding="utf-8")
    assert_same_lines(told, path.read_text(encoding="utf-8").splitlines(), path.name)


def test_the_first_differing_line_is_shown() -> None:
    with pytest.raises(AssertionError, match=r"x\.txt, line 2 differs:\s+~?\s*golden: b\s+~?\s*now: +c"):
        assert_same_lines(["a", "c", "d"], ["a", "b"], "x.txt")
