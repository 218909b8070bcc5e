"""`python -m heat_core`, as it is typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from heat_core.__main__ import main
from heat_core.engine import start_race
from heat_core.game_files import read_position, read_record
from heat_core.race import events as e
from heat_core.record.record import Record, fold_record, verify_record
from tests.core.support import told_cars

EXAMPLE = Path(__file__).parents[2] / "examples" / "oval.json"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_simulate_counts_and_exports_and_replay_checks(tmp_path: Path) -> None:
    folder = tmp_path / "races"
    words = ["--track", "italy", "--laps", "1", "--seats", "steady,random,legend:hard", "--races", "3"]
    done = run("simulate", *words, "--seed", "7", "--json", "--export", str(folder))
    assert done.exit_code == 0, done.output
    figures = msgspec.json.decode(done.stdout)
    assert figures["races"] == 3
    assert len(figures["rounds"]) == 3
    assert figures["decisions"] > 50
    assert figures["decisions_per_second"] > 100
    assert [sum(car["places"]) for car in figures["cars"]] == [3, 3, 3]
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["italy-00000.jsonl", "italy-00001.jsonl", "italy-00002.jsonl"]
    again = msgspec.json.decode(run("simulate", *words, "--seed", "7", "--json").stdout)
    assert again["cars"] == figures["cars"]
    told = run("replay", str(files[0]))
    assert told.exit_code == 0
    assert "Round 1." in told.stdout
    assert "The race is over" in told.stdout
    assert "The race is over.\n" in told.stderr
    assert run("replay", "--quiet", str(files[1])).stdout == ""


@pytest.mark.spec("BOT-4.1")
@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--laps", "1", "--races", "5", "--seats", "steady,random,legend:easy"],
        ["simulate", "--races", "3", "--position", str(EXAMPLE.parent / "third-place.toml")],
        ["season", "--tracks", "usa,italy,france", "--laps", "1", "--seasons", "2"],
    ],
    ids=["simulate", "position", "season"],
)
def test_races_and_records_are_the_same_on_one_core_and_on_several(words: list[str], tmp_path: Path) -> None:
    told = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        done = run(*words, "--seed", "7", "--json", "--jobs", jobs, "--export", str(folder))
        assert done.exit_code == 0, done.output
        figures = msgspec.json.decode(done.stdout)
        figures.pop("decisions_per_second", None)
        told.append((figures, {file.name: file.read_bytes() for file in folder.iterdir()}))
    assert told[0] == told[1]
    assert len(told[0][1]) >= 3


def test_races_are_simulated_from_a_position(tmp_path: Path) -> None:
    example = str(EXAMPLE.parent / "third-place.toml")
    words = ["--position", example, "--races", "3", "--seed", "x"]
    done = run("simulate", *words, "--json", "--export", str(tmp_path))
    assert done.exit_code == 0, done.output
    figures = msgspec.json.decode(done.stdout)
    assert (figures["track"], figures["laps"], figures["rules"], figures["races"]) == ("gb", 1, "rulebook", 3)
    assert [car["driver"] for car in figures["cars"]] == ["steady"] * 4 + ["legend"] * 2
    assert figures["cars"][4]["places"] == [3, 0, 0, 0, 0, 0], "it has won already"
    assert figures["cars"][2]["places"] == [0, 0, 0, 0, 0, 3], "it has given up"
    seeds = set()
    for file in sorted(tmp_path.iterdir()):
        record = read_record(file)
        seeds.add(record.setup.seed)
        assert verify_record(record).round >= 8
    assert seeds == {"x/0", "x/1", "x/2"}
    for option in (
        ["--track", "usa"],
        ["--laps", "2"],
        ["--seats", "steady,steady"],
        ["--rules", "standard"],
        ["--set", "hand_size=6"],
        ["--garage", "basic"],
        ["--expansion"],
        ["--weather"],
    ):
        refused = run("simulate", "--position", example, *option)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert f"leave out {option[0]}" in refused.stderr


def test_figures_are_told_in_a_table() -> None:
    done = run(
        "simulate", "--track", str(EXAMPLE), "--races", "2", "--seats", "steady,legend:easy", "--seed", "x"
    )
    assert done.exit_code == 0
    assert "2 races on oval" in done.stdout
    assert "legend:easy" in done.stdout


def test_races_with_single_settings_are_simulated_and_replayed(tmp_path: Path) -> None:
    words = ["--laps", "1", "--races", "1", "--seed", "7", "--rules", "rulebook"]
    words += ["--seats", ",".join(["steady"] * 7 + ["legend:easy"])]
    words += ["--set", "hand_size=6", "--set", "most_cars=8", "--set", "full_space=behind"]
    told = run("simulate", *words, "--export", str(tmp_path))
    assert told.exit_code == 0, told.output
    assert "rulebook rules, hand_size=6, most_cars=8, seed 7" in told.stdout
    (file,) = tmp_path.iterdir()
    assert run("replay", "--quiet", str(file)).exit_code == 0
    figures = msgspec.json.decode(run("simulate", *words, "--json").stdout)
    assert (figures["rules"], figures["settings"]) == ("rulebook", {"hand_size": "6", "most_cars": "8"})


def test_races_with_garage_and_weather_are_simulated_and_dealt_anew(tmp_path: Path) -> None:
    words = ["--laps", "1", "--races", "1", "--seed", "7", "--garage", "mixed", "--expansion", "--weather"]
    told = run("simulate", *words, "--export", str(tmp_path))
    assert told.exit_code == 0, told.output
    assert "standard rules, mixed garage with expansion, weather, seed 7" in told.stdout
    (file,) = tmp_path.iterdir()
    replayed = run("replay", "--verify", str(file))
    assert replayed.exit_code == 0
    assert "The garage offers " in replayed.stdout
    assert "Weather: " in replayed.stdout
    refused = run("simulate", "--garage", "basic", "--expansion")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "need the garage advanced or mixed" in refused.stderr


def test_tracks_and_check_track(tmp_path: Path) -> None:
    assert run("tracks").stdout.splitlines()[0].startswith("usa")
    assert "can be raced on" in run("check-track", str(EXAMPLE)).stdout
    wrong = tmp_path / "wrong.json"
    wrong.write_text(EXAMPLE.read_text().replace('"laps": 3', '"laps": 9').replace('"heat": 5', '"heat": -5'))
    done = run("check-track", str(wrong))
    assert done.exit_code == 1
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [
        "laps must be a whole number from 1 to 4, not 9",
        "heat must be a whole number from 0 to 20, not -5",
    ]


def test_check_position_names_every_problem_on_a_line_of_its_own(tmp_path: Path) -> None:
    example = EXAMPLE.parent / "last-corner.toml"
    done = run("check-position", str(example))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"{example}: 3 cars on USA can start from round 9, phase 2.\n"
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(example.read_text().replace("laps = 2", "laps = 9").replace("hand 4 3 2", "hand 5 3 2"))
    done = run("check-position", str(wrong))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"{wrong}: laps must be a whole number from 1 to 4, not 9",
        f"{wrong}: Ana: hand: there is no card '5'",
    ]


@pytest.mark.parametrize("phase", ["shift", "play"])
def test_a_moment_of_a_recorded_race_becomes_a_position_file(tmp_path: Path, phase: str) -> None:
    """Also of a race on a track of one's own, which the file then names by its path."""
    words = ["--track", str(EXAMPLE), "--laps", "1", "--seed", "7", "--seats", "steady,random,legend:hard"]
    assert run("simulate", *words, "--races", "1", "--export", str(tmp_path)).exit_code == 0
    record = str(tmp_path / "oval-00000.jsonl")
    told = run("position", record, "--round", "3", "--phase", phase, "--track", str(EXAMPLE))
    assert told.exit_code == 0, told.stderr
    path = tmp_path / "moment.toml"
    path.write_text(told.stdout)
    setup = read_position(path).setup
    race, _ = start_race(msgspec.structs.replace(setup, seed="any"))
    begun = read_record(Path(record))
    asked = next(
        number
        for number, event in enumerate(begun.events, start=1)
        if isinstance(event, e.DecisionsOpened)
        and event.kind == ("gear" if phase == "shift" else "cards")
        and fold_record(Record(begun.setup, begun.events[:number])).round == 3
    )
    was = fold_record(Record(begun.setup, begun.events[:asked]))
    assert (race.round, race.phase, race.legend_deck) == (3, was.phase, was.legend_deck)
    assert told_cars(race) == told_cars(was)
    for wrong, reason in (
        (["--round", "3"], "there is no track 'oval'"),
        (["--round", "3", "--track", "usa"], "the race was on another track than 'usa'"),
        (["--round", "999", "--track", str(EXAMPLE)], "nobody decides anything in phase 1 of round 999"),
    ):
        refused = run("position", record, *wrong)
        assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
        assert reason in refused.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("simulate", "--track", "atlantis"), 2),
        (("simulate", "--seats", "steady,shumacher"), 2),
        (("simulate", "--seats", "steady"), 2),
        (("simulate", "--seats", "legend:easy,legend:easy"), 2),
        (("simulate", "--seats", "steady,legend:brutal"), 2),
        (("simulate", "--seats", "steady,steady,steady,steady,steady,steady,steady"), 2),
        (("simulate", "--set", "hand_size"), 2),
        (("simulate", "--set", "hand_size=5"), 2),
        (("simulate", "--set", "hat_size=7"), 2),
        (("simulate", "--races", "1", "--export", "/dev/null/races"), 1),
        (("replay", "none.jsonl"), 1),
        (("check-track", "none.json"), 1),
        (("check-position", "none.toml"), 1),
        (("simulate", "--position", "none.toml"), 2),
        (("position", "none.jsonl", "--round", "2"), 1),
    ],
)
def test_wrong_use_is_one_line(words: tuple[str, ...], code: int) -> None:
    done = run(*words)
    assert done.exit_code == code
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.output


def test_it_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_core", "simulate", "--races", "1", "--laps", "1", "--seed", "1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 race on usa, 1 lap," in done.stdout
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_is_told_in_one_line_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "usa-00000.jsonl").symlink_to("/dev/full")
    done = run("simulate", "--races", "1", "--laps", "1", "--export", str(tmp_path))
    assert done.exit_code == 1
    assert done.stderr == f"Error: {tmp_path}/usa-00000.jsonl: No space left on device\n"
