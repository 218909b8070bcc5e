"""Tournaments: the same table for the same seed, whatever runs the races; rates and ratings that hold."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from heat_core.__main__ import main
from heat_core.files import load_track
from heat_core.race.presets import PRESETS
from heat_core.race.setup import BASE_GAME
from heat_core.rng import Stream
from heat_core.tournament import races as t
from heat_core.tournament.rates import Ahead, Estimate, count_deals, rate, rate_drivers
from heat_core.tournament.report import ALL_BOARDS, interval_line, make_standings

SMALL = ("tournament", "--bots", "steady,random", "--boards", "italy,usa", "--laps", "1", "--seed", "t")
LEVELS = ["hard", "normal", "easy", "steady", "random"]
POLICY = """
def choose(observation, stream):
    from heat_core.api import BOTS
    return BOTS["steady"](observation, stream)
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def run_whole(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program itself, which has the last word on files that cannot be read or written."""
    command = [sys.executable, "-m", "heat_core", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def raced(board: str, deal: int, finished: str) -> t.Result:
    return t.Result(t.Race(board, deal, tuple(finished)), tuple(range(len(finished))))


# --- which races there are ----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(2, 9))
def test_each_driver_meets_each_other_equally_often_from_each_seat(number: int) -> None:
    drivers = "abcdefgh"[:number]
    turns = len(list(combinations(drivers, t.FIELD_CARS % number)))
    races = t.plan_fields(["usa"], drivers, 10_000)
    whole = [race for race in races if race.deal < races[-1].deal // turns * turns]
    seats = Counter((driver, seat) for race in whole for seat, driver in enumerate(race.drivers))
    assert len(set(seats.values())) == 1
    assert len(seats) == number * t.FIELD_CARS
    pairs = Counter(pair for race in whole for pair in permutations(race.drivers, 2) if pair[0] != pair[1])
    assert len(set(pairs.values())) == 1
    assert len(races) == len(set(races)) == 10_000


def test_duels_are_raced_both_ways_round_on_the_deals_of_the_fields() -> None:
    drivers = ["steady", "random", "legend:easy", "legend:hard"]
    duels = t.plan_duels(["usa", "gb"], drivers, 4)
    assert len(duels) == 2 * 5 * 4, "two Legends have no duel"
    assert {race.deal for race in duels} == {0, 1}
    assert all(t.Race(race.board, race.deal, race.drivers[::-1]) in duels for race in duels)


# --- rates and ratings --------------------------------------------------------------------------------------


def test_a_rate_is_as_sure_as_its_deals_differ() -> None:
    alike = count_deals(raced("usa", deal, "ab" if deal % 2 else "ba") for deal in range(100) for _ in "six")
    apart = count_deals(
        raced("usa", deal, "ab" if number % 2 else "ba") for deal in range(100) for number in range(6)
    )
    one, other = rate(alike, ("a", "b")), rate(apart, ("a", "b"))
    assert one
    assert other
    assert one.value == other.value == 0.5
    assert (round(one.low, 2), round(one.high, 2)) == (0.4, 0.6), "100 deals, not 300 races"
    assert (round(other.low, 2), round(other.high, 2)) == (0.46, 0.54), "600 races"
    assert rate(alike, ("a", "c")) is None
    always = rate(count_deals(raced("usa", deal, "ab") for deal in range(4)), ("a", "b"))
    assert always
    assert (always.value, round(always.high, 9), round(always.low, 2)) == (1, 1, 0.51)


def test_ratings_find_strengths_that_are_known() -> None:
    """Duels by lot, a driver of twice the strength being ahead twice as often: 120 points a doubling."""
    stream = Stream("known strengths")
    strength = {"a": 1, "b": 2, "c": 4}
    deals = {}
    for deal in range(2000):
        one, other = stream.sample(list(strength), 2)
        wins = stream.below(strength[one] + strength[other]) < strength[one]
        deals["usa", deal] = Ahead([(one, other) if wins else (other, one)])
    ratings = rate_drivers(deals, list(strength), "x")
    assert list(ratings) == ["c", "b", "a"]
    for driver, truth in (("a", -120.4), ("b", 0), ("c", 120.4)):
        value, low, high = ratings[driver]
        assert low < truth < high
        assert low < value < high
        assert high - low < 50
    assert rate_drivers(deals, list(strength), "x") == ratings


def test_a_driver_who_is_always_ahead_has_a_rating_with_an_end() -> None:
    ratings = rate_drivers(count_deals(raced("usa", deal, "ab") for deal in range(50)), "ab", "x")
    assert 200 < ratings["a"].value == -ratings["b"].value < 1000


def test_an_interval_is_drawn_with_its_value() -> None:
    assert interval_line(Estimate(0.75, 0.5, 0.9), 11) == "·····───●─·"
    assert interval_line(Estimate(1, 0.8, 1), 11) == "·····┊··──●"


# --- the command --------------------------------------------------------------------------------------------


@pytest.mark.spec("BOT-2", "BOT-4.1")
def test_the_table_is_the_same_for_the_same_seed_whatever_the_jobs_and_interruptions(tmp_path: Path) -> None:
    words = [*SMALL, "--fields", "4", "--duels", "2", "--legends"]
    whole = run(*words, "--jobs", "2", "--plot", str(tmp_path / "plot.svg"))
    assert whole.exit_code == 0, whole.output
    assert whole.stdout.startswith("2 boards, 1 lap, standard rules, seed t\n\nFields of six, 8 races\n")
    assert ElementTree.parse(tmp_path / "plot.svg").getroot().tag.endswith("svg")
    file = tmp_path / "results.jsonl"
    begun = run(*words, "--jobs", "1", "--resume", str(file), "--fields", "2")
    assert begun.exit_code == 0
    lines = file.read_bytes()
    file.write_bytes(lines[:-10])  # as a program that is killed leaves it
    resumed = run(*words, "--jobs", "1", "--resume", str(file))
    assert resumed.stdout == whole.stdout
    assert file.read_bytes().startswith(lines[: lines[:-1].rfind(b"\n")])
    assert len(file.read_bytes().splitlines()) == 1 + 8 + 2 * 2 * 7
    other = run(*words, "--seed", "u", "--jobs", "1")
    assert other.stdout != whole.stdout


def test_a_file_of_another_tournament_is_refused_with_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    words = [*SMALL, "--fields", "1", "--duels", "0", "--jobs", "1", "--resume", str(file)]
    assert run(*words).exit_code == 0
    kept = file.read_bytes()
    refused = run(*words, "--weather", "--seed", "u")
    assert refused.exit_code == 2
    assert 'seed is "t" there and "u" here' in refused.stderr
    assert '"weather":false' in refused.stderr
    assert file.read_bytes() == kept
    for wrong in (b"{}\n", kept + b"{}\n", kept.replace(b'"order":[', b'"order":[9')):
        file.write_bytes(wrong)
        refused = run(*words)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "this is no file of results" in refused.stderr
        assert file.read_bytes() == wrong


def test_results_of_several_tournaments_make_one_table(tmp_path: Path) -> None:
    """The same races twice are twice as many deals."""
    words = [*SMALL, "--fields", "4", "--jobs", "1"]
    files = [str(tmp_path / name) for name in ("dry", "wet")]
    dry = run(*words, "--resume", files[0])
    wet = run(*words, "--resume", files[1], "--weather")
    assert (dry.exit_code, wet.exit_code) == (0, 0)
    both = run(*words, "--fields", "0", "--duels", "0", "--pool", files[0], "--pool", files[1])
    assert both.exit_code == 0, both.output
    assert both.stdout.startswith(
        "2 boards, 1 lap, standard rules, seed t\nwith 1 lap, standard rules, seed t\n"
        "with 1 lap, standard rules, weather, seed t\n\nFields of six, 16 races\n"
    )
    assert "\nDuels, 40 races\n" in both.stdout
    added = run(*words, "--resume", files[0], "--pool", files[1])
    assert added.stdout.partition("\n\n")[2] == both.stdout.partition("\n\n")[2]
    refused = run_whole(*words, "--pool", str(tmp_path / "none"))
    told = f"python -m heat_core: {tmp_path / 'none'}: No such file or directory\n"
    assert (refused.returncode, refused.stderr) == (1, told)


def test_a_policy_of_your_own_races_in_every_process(tmp_path: Path) -> None:
    policy = tmp_path / "mine.py"
    policy.write_text(POLICY)
    done = run(*SMALL, "--seat", f"{policy}:choose", "--fields", "3", "--duels", "0", "--jobs", "2")
    assert done.exit_code == 0, done.output
    assert f"{policy}:choose ahead of" in done.stdout or f"ahead of {policy}:choose" in done.stdout
    policy.write_text(
        POLICY.replace('BOTS["steady"](observation, stream)', "GiveUp()").replace("BOTS", "GiveUp")
    )
    refused = run(*SMALL, "--seat", f"{policy}:choose", "--rules", "rulebook", "--jobs", "2")
    assert refused.exit_code == 1
    assert "a policy made a choice that the rules do not allow" in refused.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--bots", "steady"), "two drivers or more"),
        (("--bots", "steady,shumacher"), "there is no driver 'shumacher'"),
        (("--boards", "usa,atlantis"), "there is no track 'atlantis'"),
        (("--garage", "basic", "--expansion"), "need the garage advanced or mixed"),
        (("--fields", "0", "--duels", "0"), "a number above 0"),
        (("--seat", "none.py:choose"), "No such file"),
    ],
)
def test_wrong_use_is_one_line(words: tuple[str, ...], reason: str) -> None:
    refused = run(*SMALL, *words)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert reason in refused.stderr


def test_a_file_is_of_no_use_without_its_seed(tmp_path: Path) -> None:
    refused = run("tournament", "--resume", str(tmp_path / "file"))
    assert refused.exit_code == 2
    assert "--resume needs --seed" in refused.stderr


@pytest.mark.spec("BOT-4.1")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_the_table_of_what_has_ended(jobs: str, tmp_path: Path) -> None:
    """The terminal sends it to all processes of the command."""
    ours, theirs = pty.openpty()
    file = tmp_path / "results.jsonl"
    command = [
        sys.executable,
        "-m",
        "heat_core",
        *SMALL,
        "--fields",
        "90000",
        "--jobs",
        jobs,
        "--resume",
        str(file),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, start_new_session=True
    ) as process:
        os.close(theirs)
        told = ""
        while "races, " not in told:
            told += os.read(ours, 1000).decode()
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    told += os.read(ours, 1000).decode()
    os.close(ours)
    ended = len(file.read_bytes().splitlines()) - 1
    assert process.returncode == 130
    assert f"interrupted after {ended} of " in told
    assert "Traceback" not in told
    assert f"Fields of six, {ended} races" in output


@pytest.mark.spec("BOT-2")
def test_the_levels_are_in_order() -> None:
    """A small tournament; docs/opponents.md has a larger one, with narrower intervals for each board."""
    boards = ["italy", "france", "spain"]
    races = t.plan_fields(boards, LEVELS, 12)
    heading = t.Heading("any", "levels", 1, "standard", {}, BASE_GAME)
    standard = PRESETS["standard"]
    results = [t.run_race(race, heading, load_track(race.board), standard, {}) for race in races]
    standings = make_standings("Fields", results, boards, "levels")
    assert list(standings.ratings) == LEVELS
    assert all(list(pair.by_board) == [ALL_BOARDS, *boards] for pair in standings.neighbours)
    assert all(pair.by_board[ALL_BOARDS].value > 0.5 for pair in standings.neighbours)
    assert standings.neighbours[-1].by_board[ALL_BOARDS].low > 0.5


@pytest.mark.parametrize("option", ["--resume", "--pool"])
def test_a_device_or_pipe_is_no_file_of_results(option: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/full")):
        refused = run(*SMALL, "--fields", "1", "--jobs", "1", option, str(path))
        assert isinstance(refused.exception, OSError)
        assert (refused.exception.strerror, refused.exception.filename) == ("Not a regular file", str(path))


def test_a_full_disk_is_said_without_a_file_where_none_is_known() -> None:
    words = [*SMALL, "--fields", "1", "--duels", "0", "--jobs", "1", "--plot", "/dev/full"]
    done = run_whole(*words)
    assert (done.returncode, done.stderr) == (1, "python -m heat_core: No space left on device\n")
