"""`python -m heat_core` and what strangers give it: names, seeds and texts that a terminal cannot take."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import msgspec
import pytest

from heat_core.files import load_track
from heat_core.game_files import read_position
from tests.core.support import RandomPlay, setup_of

EXAMPLES = Path(__file__).parents[2] / "examples"
DRIVING = "\x1b[31mred\nline\udcff"
"""A file name that would colour the terminal, with a line break and a byte that is no text."""

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")


def run(
    *words: str, encoding: str = "utf-8", stdout: IO[str] | None = None, cwd: Path | None = None
) -> tuple[int, str, str]:
    """Run the program as a shell does; gives exit code, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "heat_core", *words],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        timeout=60,
        stdout=stdout or subprocess.PIPE,
        cwd=cwd,
    )
    return done.returncode, (done.stdout or b"").decode(encoding), done.stderr.decode(encoding)


def raced(folder: Path, *words: str) -> str:
    """Write a race down, and give the file."""
    seats = ("--seats", "steady,steady", "--laps", "1", "--races", "1", "--seed", "7")
    assert run("simulate", *seats, *words, "--export", str(folder))[0] == 0
    (file,) = folder.iterdir()
    return str(file)


@pytest.mark.parametrize(
    "words",
    [
        ("check-track", f"{DRIVING}.json"),
        ("check-position", f"{DRIVING}.toml"),
        ("replay", f"{DRIVING}.jsonl"),
        ("position", f"{DRIVING}.jsonl", "--round", "2"),
        ("simulate", "--position", f"{DRIVING}.toml"),
        ("simulate", "--track", f"{DRIVING}.json"),
        ("simulate", "--races", "1", "--export", f"/dev/null/{DRIVING}"),
    ],
    ids=lambda words: " ".join(words[:2] if words[0] == "simulate" else words[:1]),
)
def test_a_file_name_that_drives_the_terminal_is_written_out(words: tuple[str, ...]) -> None:
    code, out, errors = run(*words)
    assert (code, out, errors.count("\n")) == (
        2 if "--races" not in words and words[0] == "simulate" else 1,
        "",
        1,
    )
    assert "\\x1b[31mred\\nline\\udcff" in errors
    assert errors.removesuffix("\n").isprintable()


def test_a_right_file_of_such_a_name_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / f"{DRIVING}.toml"
    path.write_bytes((EXAMPLES / "hot-hand.toml").read_bytes())
    code, out, _ = run("check-position", str(path))
    assert (code, out.count("\n")) == (0, 1)
    assert "\\x1b[31mred\\nline\\udcff.toml: 4 cars on Italy can start from" in out


def test_a_seed_is_written_out_or_is_no_text() -> None:
    code, out, _ = run("simulate", "--laps", "1", "--races", "1", "--seed", "\x1b[31m")
    assert (code, out.split("\n")[0].isprintable()) == (0, True)
    assert "seed '\\x1b[31m'" in out
    for words in (("--races", "1"), ("--position", str(EXAMPLES / "hot-hand.toml"))):
        code, out, errors = run("simulate", *words, "--seed", "\udcff")
        assert (code, out, errors) == (2, "", "python -m heat_core: the seed must be text\n")
        code, out, errors = run("simulate", *words, "--seed", "x" * 4_001)
        assert (code, out) == (2, "")
        assert errors == "python -m heat_core: the seed has more than 4000 characters\n"


def test_keys_and_formats_of_a_file_are_neither_long_nor_drive_the_terminal(tmp_path: Path) -> None:
    """What a decoder says quotes the file."""
    track, record = tmp_path / "track.json", tmp_path / "record.jsonl"
    values = msgspec.json.decode((EXAMPLES / "oval.json").read_bytes())
    values["corners"][0]["\x1b[31m" * 5000] = 1
    track.write_bytes(msgspec.json.encode(values))
    for file, text in (
        (track, None),
        (record, msgspec.json.encode({"format": "\x1b[31m" * 5000})),
        (record, msgspec.json.encode({"format": 1, "\x1b[31m" * 5000: 1})),
        (record, Path(raced(tmp_path / "races")).read_bytes().replace(b'"number":1,', b'"\\u001b[31m":1,')),
    ):
        if text is not None:
            file.write_bytes(text + b"\n")
        code, _, errors = run("check-track" if file == track else "replay", str(file))
        assert (code, errors.count("\n")) == (1, 1)
        assert errors.removesuffix("\n").isprintable()
        assert len(errors) < 400 + len(str(file))


@needs_full
@pytest.mark.parametrize("words", [("tracks",), ("simulate", "--races", "1", "--laps", "1"), ("--help",)])
def test_an_output_that_cannot_be_written_is_told_in_one_line(words: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        code, _, errors = run(*words, stdout=full)
    assert (code, errors) == (1, "python -m heat_core: No space left on device\n")


def test_signs_that_the_terminal_cannot_show_are_replaced(tmp_path: Path) -> None:
    record = raced(tmp_path)
    code, out, _ = run("replay", record, encoding="latin-1")
    assert code == 0
    assert "drives 69 ? " in out
    assert "drives 69 → " in run("replay", record)[1]


def test_rules_that_no_setting_has_are_told_in_words(tmp_path: Path) -> None:
    """A record of other days replays by its rules; a position file can only say those of today."""
    path = Path(raced(tmp_path))
    setup = setup_of(seats=2, laps=1)
    setup = msgspec.structs.replace(setup, rules=msgspec.structs.replace(setup.rules, boost_gears=(2,)))
    game = RandomPlay(setup, "x")
    game.run()
    head, *_ = path.read_bytes().split(b"\n")
    values = msgspec.json.decode(head) | {"setup": msgspec.to_builtins(setup)}
    lines = [{"number": number, "event": event} for number, event in enumerate(game.events, start=1)]
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (values, *lines)))
    assert run("replay", "--quiet", "--verify", str(path))[0] == 0
    code, out, errors = run("position", str(path), "--round", "2")
    assert (code, out) == (1, "")
    assert errors.startswith(f"python -m heat_core: {path}: ")
    assert "boost_gears=(2,)" in errors


def test_a_position_names_its_track_so_that_it_is_found_from_anywhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (here / "mine.json").write_bytes((EXAMPLES / "oval.json").read_bytes())
    record = raced(tmp_path / "races", "--track", str(here / "mine.json"))
    code, out, errors = run("position", record, "--round", "2", "--track", "mine.json", cwd=here)
    assert code == 0, errors
    (there / "moment.toml").write_text(out)
    assert read_position(there / "moment.toml").setup.track == load_track(str(here / "mine.json"))
    for name, reason in (
        (DRIVING, "has characters that a position file cannot hold"),
        ("x" * 210, "there is no track"),
    ):
        path = here / f"{name}.json"
        path.write_bytes((EXAMPLES / "oval.json").read_bytes())
        code, out, errors = run("position", record, "--round", "2", "--track", str(path))
        assert (code, out, errors.count("\n")) == (1, "", 1)
        assert reason in errors


def test_rounds_are_counted_from_where_a_position_begins(tmp_path: Path) -> None:
    path = tmp_path / "late.toml"
    text = (EXAMPLES / "hot-hand.toml").read_text()
    path.write_text(text.replace("round = 4", "round = 990"))
    code, _, errors = run("simulate", "--position", str(path), "--races", "1", "--seed", "7")
    assert (code, errors) == (0, "")
