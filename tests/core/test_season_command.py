"""`python -m heat_core season`, as it is typed, and the table that it prints."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from heat_core.__main__ import main
from heat_core.cli.simulate import season_command
from heat_core.data.event_cards import EVENTS
from heat_core.rules.points import CarResult, SeasonStanding
from heat_core.season.setup import YEARS, plan_year
from heat_core.season.view import SeasonRaceView, SeasonView, season_text, seasons_text
from tests.core.support import track_facts

SHORT = ("--laps", "1", "--seats", "steady,random,legend:hard", "--seed", "7")


def season(*words: str) -> Result:
    return CliRunner().invoke(main, ["season", *words])


def test_a_printed_year_is_raced_and_its_table_is_printed() -> None:
    words = ("--year", "1961", *SHORT, "--garage", "mixed", "--weather", "--sponsorships")
    done = season(*words)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[:2] == ["Season 1 of 1, seed 7/0", "Events: grandstand, speed-record, strike"]
    assert lines[2].split("  ")[-1] == "points"
    assert [word in lines[2] for word in ("Great Britain", "USA", "Italy")] == [True] * 3
    assert len(lines) == 6
    assert all(len(line) <= 80 for line in lines)
    for line in lines[3:]:
        numbers = [int(word) for word in line.split()[3:] if word.isdigit()]
        assert sum(numbers[:-1]) == numbers[-1]
    assert done.stdout == season(*words).stdout


def test_seasons_on_chosen_tracks_are_told_as_json_and_their_races_can_be_verified(tmp_path: Path) -> None:
    words = ["--tracks", "usa, italy,france", *SHORT, "--events", "--rules", "rulebook", "--seasons", "2"]
    done = season(*words, "--json", "--export", str(tmp_path))
    assert done.exit_code == 0, done.output
    told = msgspec.json.decode(done.stdout)
    assert told["cars"] == ["Steady 1", "Random 2", "Legend 3"]
    assert [entry["seed"] for entry in told["seasons"]] == ["7/0", "7/1"]
    for entry in told["seasons"]:
        assert [race["track"] for race in entry["races"]] == ["USA", "Italy", "France"]
        assert all(race["event"] for race in entry["races"])
        results = entry["races"][0]["results"]
        assert [result["points"] - result["event_points"] for result in results] == [9, 6, 4]
        assert [standing["place"] for standing in entry["standings"]] == [1, 2, 3]
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [
        f"season-0000{number}-race-{race}.jsonl" for number in (0, 1) for race in (1, 2, 3)
    ]
    for file in files:
        done = CliRunner().invoke(main, ["replay", "--verify", "--quiet", str(file)])
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "Give --tracks or --year, not both."),
        (("--year", "1961", "--tracks", "usa,gb,italy"), "Give --tracks or --year, not both."),
        (("--tracks", "usa,gb"), "2 races; a season has 3 or 4"),
        (("--tracks", "usa,gb,moon"), "there is no track 'moon'"),
        (("--year", "1961", "--seats", "steady"), "1 car; a race on Great Britain has 2 to 6"),
        (("--year", "1961", "--seats", "steady,nobody"), "there is no driver 'nobody'"),
        (("--year", "1961", "--set", "hand_size=99"), "hand_size"),
        (("--year", "1960"), "'1960' is not one of"),
    ],
)
def test_a_wrong_word_is_told_in_one_line(words: tuple[str, ...], reason: str) -> None:
    done = season(*words)
    assert done.exit_code == 2
    assert reason in done.stderr
    assert done.stdout == ""


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = season("--year", "1961", *SHORT, "--export", str(tmp_path / "file" / "under"))
    assert done.exit_code == 1
    assert "file/under: Not a directory" in done.stderr


def view_of(*races: SeasonRaceView, standings: tuple[SeasonStanding, ...], seed: str | None) -> SeasonView:
    return SeasonView(9, "ended", 2, races, standings, (), (), (), (), "", "finished", seed)


def test_the_table_has_a_column_for_each_race_and_the_titles_of_several_seasons() -> None:
    first = SeasonRaceView(
        "USA", 2, None, None, "finished", (CarResult(1, 1, "finished", 4), CarResult(0, 2, "racing", 2))
    )
    results = (CarResult(1, 1, "finished", 6, 2), CarResult(0, 2, "gave_up", 2))
    second = SeasonRaceView("A very long name", 1, "strike", (0, 1), "finished", results)
    to_come = SeasonRaceView("Italy", 2, None, None, None, ())
    standings = (SeasonStanding(1, 1, 10), SeasonStanding(0, 2, 4))
    view = view_of(first, second, to_come, standings=standings, seed=None)
    table = [
        "Events: none, strike",
        "                           USA A very long n  points",
        "1. Bea                1st    4      1st    6      10",
        "2. Ana                2nd    2      2nd    2       4",
    ]
    assert season_text(view, ["Ana", "Bea"]) == table
    assert seasons_text([view], ["Ana", "Bea"]) == ["Season 1 of 1", *table]
    seeded = msgspec.structs.replace(view, seed="x")
    assert seasons_text([view, seeded], ["Ana", "Bea"]) == [
        "Season 1 of 2",
        *table,
        "",
        "Season 2 of 2, seed x",
        *table,
        "",
        "Titles: Ana 0, Bea 2",
    ]


def test_the_page_about_seasons_tells_the_printed_years_as_they_are_raced() -> None:
    page = (Path(__file__).parents[2] / "docs" / "seasons.md").read_text(encoding="utf-8")
    told = [line for line in page.splitlines() if re.match(r"\| \d{4} ", line)]
    raced = [
        f"| {year} | {race.track.name} | `{race.event}` | {EVENTS[race.event].sponsorships} | "
        f"{EVENTS[race.event].text or 'Nothing more.'} |"
        for year in YEARS
        for race in plan_year(year, track_facts)
        if race.event is not None
    ]
    assert told == raced
    for line in page.splitlines():
        if line.startswith(".venv/bin/python -m heat_core season "):
            words = [word for word in line.split("season ", 1)[1].split() if word.startswith("--")]
            assert set(words) <= {word for option in season_command.params for word in option.opts}
