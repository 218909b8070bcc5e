"""Races that are over, in lines: walked both ways, from any viewpoint, written; and the list of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from heat_core.__main__ import main
from heat_core.game_files import write_record
from heat_core.record.playback import Playback
from heat_core.record.record import Record, encode_record
from heat_core.sentences.card_words import cards_text
from heat_core.view.race_view import RaceView
from heat_tui.flow.exports import race_text
from heat_tui.plain.labels import spoken_labels
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.narrator import is_left_out
from heat_tui.plain.replay import PlainReplay
from heat_tui.plain.replays import replays_here
from heat_tui.plain.words import sentence_of, sentences_of, spoken, without_hashes
from heat_tui.saved.records import keep_record, record_files, record_folder
from tests.core.support import stopped, without_seed
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import folders_in
from tests.tui.support_plain import Terminal, by_script, example_in, program
from tests.tui.support_replay import raced

MOMENT = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def record() -> Record:
    return raced(bots=1, legends=1)


@pytest.fixture(scope="module")
def playback(record: Record) -> Playback:
    return Playback(record)


async def walked(path: Path, playback: Playback, *typed: str, place: int = 0) -> Terminal:
    terminal = Terminal(by_script(*typed, "quit"))
    await PlainReplay(playback, terminal.line_terminal, folders_in(path), place).run()
    return terminal


def answers(terminal: Terminal) -> list[list[str]]:
    """Give what was said after each typed line."""
    told: list[list[str]] = []
    for line in terminal.lines:
        if " > " in line:
            told.append([])
        elif told and line != "The record ends here.":
            told[-1].append(line)
    return told


def sentences(playback: Playback) -> list[str]:
    """Give what is said of each moment."""
    labels = spoken_labels(playback.record.setup)
    told = [spoken(sentence_of(without_hashes(labels.told(m.event) or m.text))) for m in playback.moments]
    assert all(len(sentences_of(text)) == 1 for text in told), "one sentence a moment"
    return told


@pytest.mark.asyncio
async def test_enter_tells_the_race_moment_by_moment(tmp_path: Path, playback: Playback) -> None:
    terminal = await walked(tmp_path, playback, *[""] * playback.last)
    told = [line for lines in answers(terminal) for line in lines]
    assert told == sentences(playback)[1:]
    assert terminal.lines[0] == "USA, 1 lap, standard rules: Ana, Nina (steady), Legend 1 (Legend)."
    assert any(" spaces, over the line to " in line for line in told)
    assert terminal.text.isascii()


@pytest.mark.asyncio
async def test_the_examples_lead_to_the_end_and_out(tmp_path: Path, playback: Playback) -> None:
    terminal = Terminal(example_in)
    await PlainReplay(playback, terminal.line_terminal, folders_in(tmp_path)).run()
    told = [line for line in terminal.lines if " > " not in line and line != "The record ends here."]
    moments = playback.moments
    said = [text for m, text in zip(moments, sentences(playback), strict=True) if not is_left_out(m.event)]
    assert told[3:] == said, "going on by turns tells what happened, and nothing besides"
    assert not any("Legend card" in line or "completes lap" in line for line in told)


@pytest.mark.asyncio
async def test_turns_and_rounds_go_on_and_back(tmp_path: Path, playback: Playback) -> None:
    typed = (
        "round",
        "turn",
        "turn back",
        "round",
        "round back",
        "round 2",
        "start",
        "next 3",
        "back 2",
        "end",
    )
    terminal = await walked(tmp_path, playback, *typed)
    said = [lines[-1] for lines in answers(terminal)[: len(typed)]]
    rounds = [playback.place_of_round(number) for number in playback.rounds]
    first_turn = playback.step_turns(rounds[0], 1)
    told = sentences(playback)
    assert said == [
        told[place]
        for place in (
            rounds[0],
            first_turn,
            rounds[0],
            rounds[1],
            rounds[0],
            rounds[1],
            0,
            playback.step(0, 3),
            playback.step(0, 1),
            playback.last,
        )
    ]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("round 99", "A round of this record must be a number from 1 to "),
        ("round x", "A round of this record must be a number from 1 to "),
        ("next x", "The number of steps must be a number from 1 to 9999."),
        ("back 0", "The number of steps back must be a number from 1 to 9999."),
        ("turn 5", "Type turn for the next turn, or turn back."),
        ("seat", "The view can be open, Ana, Nina or none; for example: seat none"),
        ("seat Legend 1", "The view can be open, Ana, Nina or none; for example: seat none"),
        ("seat n", "The view can be open, Ana, Nina or none; for example: seat none"),
        ("write /nowhere/at/all", "/nowhere/at/all: No such file or directory."),
        ("write /", "/: Is a directory."),
        ("write ~nobody-of-that-name/x", "'~nobody-of-that-name/x' is not a possible file name."),
        ("write a\0b", "is not a possible file name."),
        ("time", "There is no 'time' here; help shows what you can type."),
        ("\x1b[31m", "There is no '\\x1b[31m' here"),
        ("?", "round 3, start and end go there"),
        ("cars", "1st "),
        ("weather", "This race has no weather and no road tokens."),
        ("road", "From space "),
    ],
)
async def test_each_command_tells_or_says_in_one_sentence_why_not(
    tmp_path: Path, playback: Playback, typed: str, told: str
) -> None:
    terminal = await walked(tmp_path, playback, typed)
    said = answers(terminal)[0]
    assert told in "\n".join(said)
    assert len(said) == 1 or typed in ("?", "cars")


class _Faulty(Playback):
    """A playback with a fault of the program's own."""

    def view(self, place: int, seat: int | None, until: int | None = None) -> RaceView:
        raise ValueError("a fault of the program")


@pytest.mark.asyncio
async def test_a_fault_of_the_program_is_not_told_as_one_of_the_files_name(
    tmp_path: Path, record: Record
) -> None:
    terminal = Terminal(by_script(f"write {tmp_path / 'race.txt'}"))
    with pytest.raises(ValueError, match="a fault of the program"):
        await PlainReplay(_Faulty(record), terminal.line_terminal, folders_in(tmp_path)).run()
    assert not (tmp_path / "race.txt").exists()


@pytest.mark.asyncio
async def test_hands_are_told_as_the_eyes_see_them(tmp_path: Path, playback: Playback) -> None:
    place = playback.place_of_round(2)
    typed = (
        "hand",
        "seat ana",
        "hand",
        "piles",
        "where",
        "cards",
        "seat none",
        "hand",
        "piles",
        "where",
        "seat OPEN",
    )
    said = answers(await walked(tmp_path, playback, *typed, place=place))
    race = playback.race_at(place)
    hands = [
        spoken(f"{name} holds {cards_text(race.seat(n).hand)}.") for n, name in enumerate(("Ana", "Nina"))
    ]
    assert said[0] == hands
    assert said[1] == ["You see what Ana saw; hand says the cards."]
    assert said[2] == hands[:1]
    assert said[3][0] == f"The engine holds {race.seat(0).engine} Heat."
    assert said[4][1] == "As Ana sees it:"
    assert "Stress: When played, it flips" in "\n".join(said[5])
    assert said[6] == said[7] == ["A spectator sees no hands."]
    assert said[8] == ["Nobody's hand is open now."]
    assert said[9][0].startswith("Round 2, before the first turn.")
    assert said[9][1].startswith("1st ")
    assert said[10] == ["All hands are shown."]


@pytest.mark.asyncio
async def test_the_log_and_the_places_tell_what_led_here(tmp_path: Path, playback: Playback) -> None:
    place = playback.place_of_round(3)
    said = answers(await walked(tmp_path, playback, "log 2", "log all", "places", place=place))
    told = sentences(playback)
    assert said[0] == told[place - 1 : place + 1]
    assert said[1] == told[: place + 1]
    assert [line.split(":")[0] for line in said[2]] == ["Round 1", "Round 2", "Round 3"]


@pytest.mark.asyncio
async def test_the_results_are_told_where_there_are_some(tmp_path: Path, record: Record) -> None:
    said = answers(await walked(tmp_path, Playback(record), "results"))
    assert "1st " in said[0][0]
    said = answers(await walked(tmp_path, Playback(record), "end", "seed"))
    assert "Its hash is the one shown at the start" in said[1][-1]
    said = answers(await walked(tmp_path, Playback(stopped(record, 150)), "results"))
    assert said[0][0].startswith("The record stops in round ")


@pytest.mark.asyncio
async def test_the_whole_race_is_written_as_a_text(tmp_path: Path, playback: Playback) -> None:
    path = tmp_path / "ana's race.txt"
    terminal = await walked(tmp_path, playback, f"write {path}", f"write {path}", "no", "write")
    assert path.read_text(encoding="utf-8") == race_text(playback)
    assert "exists. Overwrite it? Type yes or no" in terminal.flow
    (other,) = (folders_in(tmp_path).data / "exports").iterdir()
    assert other.read_text(encoding="utf-8") == race_text(playback)


async def listed(path: Path, *typed: str) -> Terminal:
    """Type lines at the list, then nothing more."""
    terminal = Terminal(by_script(*typed))
    with pytest.raises(Left):
        await replays_here(terminal.line_terminal, folders_in(path))
    return terminal


def keep(path: Path, records: Sequence[Record]) -> None:
    for number, record in enumerate(records):
        assert keep_record(folders_in(path), record, MOMENT + timedelta(minutes=number)) is not None


@pytest.mark.asyncio
async def test_kept_races_are_listed_newest_first_ten_at_a_time(tmp_path: Path, record: Record) -> None:
    keep(tmp_path, [stopped(record, length) for length in range(100, 320, 20)] + [record])
    terminal = await listed(tmp_path, "more", "more", "?", "13", "list", "12")
    lines = terminal.lines
    assert [line.split(":")[0] for line in lines[:10]] == [str(number) for number in range(1, 11)]
    assert lines[0].endswith(f"USA, 3 cars, {Playback(record).rounds[-1]} rounds, won by {winner(record)}.")
    assert lines[1].endswith("not finished.")
    ended = (MOMENT + timedelta(minutes=11)).astimezone()
    assert lines[0].startswith(f"1: {ended.day} {ended:%B %Y, %H:%M}, USA")
    assert "more for older ones" in terminal.prompts[0]
    assert "more for older ones" not in terminal.prompts[1]
    assert "\n12: " in terminal.text
    assert "A race of the list must be a number from 1 to 12." in terminal.text
    assert "Each line is a race" in terminal.text
    assert "USA, 1 lap, standard rules: Ana, Nina (steady)" in terminal.text


def winner(record: Record) -> str:
    return record.setup.cars[Playback(record).final.standings[0].car].name


@pytest.mark.asyncio
async def test_enter_plays_the_newest_back_and_its_end_leads_to_the_list(
    tmp_path: Path, record: Record
) -> None:
    keep(tmp_path, [record])
    terminal = Terminal(by_script("", "quit", "leave"))
    await replays_here(terminal.line_terminal, folders_in(tmp_path))
    assert "Starting grid, pole first" in terminal.text
    assert terminal.prompts[0] == terminal.prompts[2]


@pytest.mark.asyncio
async def test_records_are_deleted_after_asking_and_keep_their_numbers(
    tmp_path: Path, record: Record
) -> None:
    keep(tmp_path, [stopped(record, 100), record])
    terminal = Terminal(by_script("delete 1", "no", "delete 1", "yes", "1", "delete", "delete 2", "yes"))
    await replays_here(terminal.line_terminal, folders_in(tmp_path))
    assert "Race 1 is deleted." in terminal.text
    assert record_files(folders_in(tmp_path)) == []
    assert terminal.lines[-1] == "No saved races are left."


@pytest.mark.asyncio
async def test_where_all_told_records_are_deleted_the_older_ones_are_told(
    tmp_path: Path, record: Record
) -> None:
    keep(tmp_path, [stopped(record, length) for length in range(100, 340, 20)])
    deletions = [line for number in range(1, 11) for line in (f"delete {number}", "yes")]
    terminal = await listed(tmp_path, *deletions)
    assert [line.split(":")[0] for line in terminal.lines[-3:-1]] == ["11", "12"]
    assert "Enter for 11, delete" in terminal.prompts[-1]
    assert len(record_files(folders_in(tmp_path))) == 2


@pytest.mark.asyncio
async def test_a_record_that_cannot_be_read_is_a_line_of_the_list(tmp_path: Path) -> None:
    folder = record_folder(folders_in(tmp_path))
    folder.mkdir(parents=True)
    (folder / "broken.jsonl").write_text("x")
    terminal = await listed(tmp_path, "1")
    assert "broken.jsonl cannot be read: line 1" in terminal.lines[0]
    assert f"{folder / 'broken.jsonl'}: line 1" in terminal.text


@pytest.mark.spec("APP-10.6")
def test_a_replay_through_pipes(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "race.jsonl"
    write_record(path, record.setup, record.events)
    with program(tmp_path, "replay", str(path), "--round", "2") as run:
        text = run.play()
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert "The race is over" in text
    assert "Round 1." not in text
    assert "\x1b" not in text


def test_without_a_file_the_program_tells_what_is_kept(tmp_path: Path) -> None:
    with program(tmp_path, "replay") as run:
        assert run.prompt() is None
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert "There are none yet" in run.text


@pytest.mark.asyncio
async def test_a_record_without_a_seed_is_said_to_be_not_verified(tmp_path: Path, record: Record) -> None:
    """In lines, in the text that is written, and on the command line."""
    said = "Not verified: the record has no seed, so its cards cannot be checked."
    for one, is_said in ((record, False), (without_seed(record.setup, record.events), True)):
        playback = Playback(one)
        assert (said in (await walked(tmp_path, playback)).lines) is is_said
        assert (said in race_text(playback).splitlines()) is is_said
        path = tmp_path / "race.jsonl"
        path.write_bytes(encode_record(one.setup, one.events, "0"))
        told = CliRunner().invoke(main, ["replay", str(path), "--quiet"])
        assert told.exit_code == 0
        assert (said in told.stderr.splitlines()) is is_said
