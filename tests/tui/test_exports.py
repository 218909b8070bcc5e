"""A recorded race taken along: all of it as a text, a moment of it as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_core.game_files import write_record
from heat_core.options.table_options import LocalOptions
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_core.sentences.events import sentence
from heat_tui.app import HeatApp
from heat_tui.flow.exports import race_text
from heat_tui.flow.table_factory import make_table
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.dialogs import PageDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.replays import ReplaysScreen
from tests.core.support import stopped
from tests.tui.support_app import SMALL, folders_in, message, shown, until
from tests.tui.support_replay import at_replay, raced, replay_app
from tests.tui.test_main import run
from tests.tui.test_race_results import to_results


@pytest.fixture(scope="module")
def record() -> Record:
    return raced()


def test_the_text_tells_every_sentence_round_by_round_and_the_table(record: Record) -> None:
    playback = Playback(record)
    text = race_text(playback)
    labels = RaceLabels.of(record.setup)
    at = 0
    for event in record.events:
        if told := labels.told(event):
            at = text.index(told, at)
            assert sentence(event, labels.names, labels.track)
    blocks = text.split("\n\n")
    headings = [block for block in blocks if block.startswith("Round ")]
    assert headings == [f"Round {number}" for number in playback.rounds]
    winner = labels.names[playback.final.standings[0].car]
    assert f" 1 {labels.letters[playback.final.standings[0].car]} {winner}" in text
    assert "Positions over the rounds" in text
    assert "dealt from the seed 5" in text
    assert all(line == line.rstrip() for line in text.split("\n"))


def test_the_text_of_a_record_that_stops_says_so(record: Record) -> None:
    text = race_text(Playback(stopped(record, 300)))
    assert "The record stops in round" in text
    assert "Positions over the rounds" in text


@pytest.mark.asyncio
@pytest.mark.parametrize(("key", "ending"), [("t", ".txt"), ("p", ".svg")])
async def test_x_writes_it_and_says_where(tmp_path: Path, record: Record, key: str, ending: str) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen = await at_replay(pilot)
        await pilot.press("pagedown", "x")
        await until(lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press(key)
        await until(lambda: isinstance(app.screen, PageDialog))
        await pilot.pause()
        (path,) = (app.folders.data / "exports").iterdir()
        assert path.suffix == ending
        assert path.name[-8:] in shown(pilot)
        text = path.read_text()
        if key == "t":
            assert text == race_text(screen.replay.playback)
        else:
            assert text.startswith("<svg")
            assert "view:&#160;all&#160;hands" in text
            assert "Write&#160;what" not in text
        await pilot.press("escape")
        await until(lambda: app.screen is screen)
        await pilot.press("x", "escape")
        await until(lambda: app.screen is screen)
        assert len(list((app.folders.data / "exports").iterdir())) == 1


@pytest.mark.asyncio
async def test_where_nothing_can_be_written_the_screen_says_so(tmp_path: Path, record: Record) -> None:
    (tmp_path / "data").write_text("a file")
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        await at_replay(pilot)
        await pilot.press("x", "t")
        await until(lambda: isinstance(app.screen, PageDialog))
        await pilot.pause()
        text = "".join(shown(pilot).replace("│", "").split())
        assert "Notexported" in text
        assert "data/exports:Notadirectory." in text


@pytest.mark.spec("APP-7")
@pytest.mark.asyncio
async def test_a_race_is_saved_by_itself_replayed_step_by_step_and_exported(tmp_path: Path) -> None:
    table = make_table(
        LocalOptions(names=("Ana",), track="italy", laps=1, bots=("steady",), legends=1, seed="5")
    )
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await to_results(pilot)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("r")
        await until(lambda: isinstance(app.screen, ReplaysScreen))
        await pilot.pause()
        await until(lambda: "1 race in" in message(app))
        await pilot.press("enter")
        screen = await at_replay(pilot)
        assert screen.replay.playback.record == Record(table.setup, tuple(table.log))
        stops = [screen.replay.place]
        for _ in range(12):
            await pilot.press("right")
            stops.append(screen.replay.place)
            assert stops[-1] > stops[-2]
            assert screen.replay.view == screen.replay.playback.view(stops[-1], None)
        for stop in stops[-2:5:-1]:
            await pilot.press("left")
            assert screen.replay.place == stop
        await pilot.press("x", "t")
        await until(lambda: isinstance(app.screen, PageDialog))
        (path,) = (app.folders.data / "exports").iterdir()
        assert path.read_text() == race_text(screen.replay.playback)


def test_the_command_line_exports_without_a_terminal(tmp_path: Path, record: Record) -> None:
    file, text, picture = (tmp_path / name for name in ("race.jsonl", "race.txt", "race.svg"))
    write_record(file, record.setup, record.events)
    exports = ["--export-text", str(text), "--export-svg", str(picture)]
    code, said = run("replay", str(file), "--round", "3", *exports, path=tmp_path)
    assert (code, said) == (0, "")
    assert text.read_text() == race_text(Playback(record))
    drawn = picture.read_text()
    assert drawn.startswith("<svg")
    assert "round&#160;3" in drawn
    assert "fill: #" in drawn, "in colour"


def test_what_cannot_be_exported_is_one_line(tmp_path: Path, record: Record) -> None:
    file = tmp_path / "race.jsonl"
    write_record(file, record.setup, record.events)
    for arguments, code, reason in (
        (["replay", "--round", "3"], 2, "need FILE"),
        (["replay", "--export-text", "out"], 2, "need FILE"),
        (["replay", str(tmp_path / "none.jsonl")], 1, "none.jsonl: No such file or directory"),
        (
            ["replay", str(file), "--export-text", str(tmp_path / "no" / "out")],
            1,
            "No such file or directory",
        ),
        (
            ["replay", str(file), "--round", "99", "--export-svg", "out"],
            2,
            "There is no round 99: this record has",
        ),
        (["replay", str(file)], 1, "a terminal is needed"),
    ):
        got, said = run(*arguments, path=tmp_path)
        assert got == code
        assert reason in said
        assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()
