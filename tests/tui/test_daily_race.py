"""The daily race: the same for everybody."""

import subprocess
import sys
from datetime import date, timedelta

import msgspec
import pytest

from heat_core.files import track_names
from heat_core.race.setup import Modules
from heat_tui.daily import daily_board, daily_options, daily_seed, day_of
from heat_tui.flow.table_factory import make_table

DAY = date(2026, 11, 29)
BOARDS = track_names()

RACED = """
import sys
from datetime import date
from heat_tui.daily import daily_options
from heat_core.files import track_names
from heat_tui.flow.table_factory import make_table
name, colour = sys.argv[1:]
table = make_table(daily_options(date(2026, 11, 29), name, colour, track_names()))
while not table.is_over and len(table.log) < 400:
    if not table.step_bot():
        table.play_default(0)
print("\\n".join(map(repr, table.log)))
"""


@pytest.mark.spec("LOOK-10")
def test_two_processes_get_the_same_events_for_the_same_choices() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", RACED, *who], check=True, capture_output=True, text=True, timeout=60
        ).stdout
        for who in (("Ana", "red"), ("Ben", "green"))
    ]
    assert told[0] == told[1]
    assert told[0].count("\n") >= 400


def test_each_day_has_a_board_and_a_seed_of_its_own() -> None:
    days = [DAY + timedelta(days=number) for number in range(len(BOARDS))]
    assert {daily_board(day, BOARDS) for day in days} == set(BOARDS)
    assert len({daily_seed(day) for day in days}) == len(days)
    assert daily_seed(DAY) == "daily race of 2026-11-29, rules 2"


def test_a_daily_race_is_known_whoever_drives_it() -> None:
    for name, colour in (("Ana", "red"), ("Zed", "purple")):
        setup = make_table(daily_options(DAY, name, colour, BOARDS)).setup  # type: ignore[arg-type]
        assert day_of(setup, BOARDS) == DAY


def test_the_seed_alone_makes_no_daily_race() -> None:
    options = daily_options(DAY, "Ana", "red", BOARDS)
    others = (
        {"seed": "daily race of 2026-11-30, rules 2"},
        {"seed": "daily race of 20261129, rules 2"},
        {"seed": "daily race of 2026-13-29, rules 2"},
        {"seed": "daily race of 2026-11-29, rules 1"},
        {"bots": ("easy", "easy", "easy")},
        {"legends": 1},
        {"level": "easy"},
        {"laps": 1},
        {"weather": True},
        {"rules": "rulebook"},
        {"track": "italy" if options.track != "italy" else "usa"},
    )
    for changed in others:
        setup = make_table(msgspec.structs.replace(options, **changed)).setup
        assert day_of(setup, BOARDS) is None, changed
    setup = make_table(options).setup
    assert day_of(msgspec.structs.replace(setup, seed=None), BOARDS) is None
    assert day_of(msgspec.structs.replace(setup, modules=Modules(sponsorships=True)), BOARDS) is None
