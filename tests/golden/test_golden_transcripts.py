"""The beginnings of games in plain mode, as they are heard and typed, as they were when last looked at."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from heat_core.options.table_options import LocalOptions
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.home import Home
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.race import PlainRace
from heat_tui.state import Settings, save_settings
from tests.golden.test_golden_races import assert_same_lines
from tests.tui.support_app import folders_in
from tests.tui.support_plain import Terminal, by_script

FOLDER = Path(__file__).parent / "transcripts"

GAMES: dict[str, tuple[LocalOptions, Sequence[str]]] = {
    "alone": (
        LocalOptions(names=("Ana",), laps=1, seed="transcript", legends=2),
        (
            *("?", "2", "", "cars", "cost 5 s", "4 9", "4 2", "", "", "done", ""),
            *("none", "", "up", "", "road", "1 5 stress", ""),
        ),
    ),
    "one-keyboard": (
        LocalOptions(names=("Ana", "Ben"), laps=1, seed="transcript", legends=0),
        ("", "2!", "", "hand", "1!", "", "#1 #2!", "", "#7!", "leave", "yes"),
    ),
    "garage": (
        LocalOptions(
            names=("Ana",),
            laps=1,
            seed="transcript",
            legends=0,
            bots=("steady",),
            garage="basic",
            weather=True,
        ),
        ("cards", "2", "", "1!", "1!", "weather"),
    ),
}


HOME: Final = (
    *("?", "nowhere", "n", "?", "italy", "1", "2", "1 steady", "?", "set legends 9", "set seed transcript"),
    *(
        "set weather on",
        "",
        "leave",
        "yes",
        "c",
        "usa, gb",
        "",
        "",
        "Ana, Ben",
        "",
        "set sponsorships on",
        "",
    ),
    *("leave", "p", "5", "leave", "s", "colour blue", "", "j", "", "leave", "q"),
)
"""Typed at home, a line a prompt."""


@pytest.mark.asyncio
@pytest.mark.parametrize("name", list(GAMES))
async def test_a_game_in_lines_is_told_as_before(name: str, regenerate_golden: bool) -> None:
    options, typed = GAMES[name]
    terminal = Terminal(by_script(*typed))
    with contextlib.suppress(Left):
        await PlainRace(LocalSession(make_table(options)), terminal.line_terminal).run()
    _assert_as_before(name, terminal, regenerate_golden)


@pytest.mark.asyncio
async def test_home_in_lines_is_told_as_before(tmp_path: Path, regenerate_golden: bool) -> None:
    folders = folders_in(tmp_path)
    save_settings(folders, Settings(name="Ana", hints=False))
    terminal = Terminal(by_script(*HOME))
    await Home(terminal.line_terminal, folders, None).run()
    _assert_as_before("home", terminal, regenerate_golden)


def _assert_as_before(name: str, terminal: Terminal, regenerate_golden: bool) -> None:
    told = [line.rstrip() for line in terminal.lines]
    path = FOLDER / f"{name}.txt"
    if regenerate_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(told) + "\n", encoding="utf-8")
    assert_same_lines(told, path.read_text(encoding="utf-8").splitlines(), path.name)
