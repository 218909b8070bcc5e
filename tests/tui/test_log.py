"""What happened in a race, and looking for some of it: whose lines, and what they tell of."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from rich.style import Style
from rich.text import Text
from textual.pilot import Pilot
from textual.widgets import OptionList

from heat_core.options.table_options import LocalOptions
from heat_core.race import events as e
from heat_core.race.commands import GiveUp
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.screens.log import NOTHING, LogScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.state import Settings, save_settings
from heat_tui.theme.colours import CAR_STYLES, GOLD
from heat_tui.widgets.newest_lines import NewestLines
from heat_tui.words.log import TOPIC_OF, TOPICS, LineTopic, LogLine, event_line, found
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, race_app
from tests.tui.support_replay import at_replay, raced, replay_app

CARS = {
    "Ana": f"lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 {DRAW}",
    "Ben": "lap 1 space 40 gear 1 engine 6 hand 1 1 2 2 3 3 4",
}
LOG = [
    LogLine(Text("the grid"), "race"),
    LogLine(Text("Round 1"), "round"),
    LogLine(Text("Ana shifts"), "driving", 0),
    LogLine(Text("Ben shifts"), "driving", 1),
    LogLine(Text("Ben pays"), "heat", 1),
    LogLine(Text("Round 2"), "round"),
    LogLine(Text("Ana shifts"), "driving", 0),
    LogLine(Text("Ana is away"), "people", 0),
]


@pytest.mark.parametrize(
    ("topic", "car", "places"),
    [
        (None, None, [0, 1, 2, 3, 4, 5, 6, 7]),
        (None, 1, [1, 3, 4]),
        (None, 0, [1, 2, 5, 6, 7]),
        ("driving", None, [1, 2, 3, 5, 6]),
        ("heat", None, [1, 4]),
        ("heat", 0, []),
        ("race", None, [0]),
        ("people", None, [5, 7]),
    ],
)
def test_lines_are_found_under_the_headings_of_their_rounds(
    topic: LineTopic | None, car: int | None, places: list[int]
) -> None:
    assert found(LOG, topic, car) == places


def test_every_event_tells_of_something_that_can_be_looked_for() -> None:
    kinds = {part for union in get_args(e.Event) for part in (get_args(union) or (union,))}
    assert kinds == set(TOPIC_OF)
    assert set(TOPIC_OF.values()) == {*TOPICS, "round"} - {"people"}
    assert event_line(e.CarFinished(2), "told") == LogLine(Text("told", Style()), "driving", 2)
    assert event_line(e.HeatCooled(1, 3), "told") == LogLine(Text("told", Style()), "heat", 1)
    over = event_line(e.RaceEnded("finished", (), "17"), "The race is over: 1st Ana; the seed was 17")
    assert over.text.plain.endswith("17"), "the log's page has it whole"
    assert over.short is not None
    assert over.short.plain == "The race is over: 1st Ana", "beside the map the seed says nothing"
    assert event_line(e.RoundStarted(4), "told") == LogLine(
        Text("told", Style(bold=True, color=GOLD)), "round", None
    )


def lines(app: HeatApp) -> list[str]:
    """What the log's screen lists."""
    options = app.screen.query_one(OptionList)
    return [str(options.get_option_at_index(at).prompt).strip() for at in range(options.option_count)]


async def opened(pilot: Pilot[None], key: str) -> None:
    await pilot.press(key)
    await until(lambda: isinstance(pilot.app.screen, LogScreen))
    await pilot.pause()


@pytest.mark.asyncio
async def test_in_a_race_the_log_is_read_from_its_end_and_searched_by_key(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana", "Ben"), track="usa", laps=1, legends=2, seed="5"))
    table.submit(0, None, GiveUp())
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.log)
        race = app.screen
        await pilot.pause()
        await opened(pilot, "l")
        whole = lines(app)
        assert app.screen.query_one(OptionList).highlighted == len(whole) - 1
        assert len(whole) > 3
        await pilot.press("right")
        await pilot.pause()
        assert "Driver       ‹ Ana ›" in shown(pilot)
        assert lines(app) == ["Round 1", "Ana gives up"]
        for name in TOPICS.values():
            await pilot.press("w")
            await pilot.pause()
            assert f"‹ {name} ›" in shown(pilot)
            if name == TOPICS["cards"]:
                assert lines(app) == [NOTHING]
        await pilot.press("w", "left")
        await pilot.pause()
        assert lines(app) == whole
        assert "Go there" not in shown(pilot)
        await pilot.press("escape")
        await until(lambda: app.screen is race)


@pytest.mark.asyncio
async def test_in_a_replay_a_line_that_was_found_leads_to_its_moment(tmp_path: Path) -> None:
    record = raced()
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        screen: ReplayScreen = await at_replay(pilot)
        await opened(pilot, "e")
        assert "Enter Go there" in shown(pilot)
        await pilot.click("#what", offset=(20, 0))
        await pilot.press("w", "w", "right")
        await pilot.pause()
        listed = lines(app)
        assert listed[0] == "Round 1"
        assert all(text.startswith(("Round ", f"{screen.replay.labels.names[0]} ")) for text in listed)
        assert len(listed) > 2
        await pilot.press("home", "down", "enter")
        await until(lambda: app.screen is screen)
        event = screen.replay.moment.event
        assert event_line(event, "").topic == "heat"
        assert event_line(event, "").car == 0


@pytest.mark.asyncio
async def test_beside_the_map_the_hash_is_not_told_and_in_the_log_whole(tmp_path: Path) -> None:
    app = RaceApp(
        tmp_path, LocalSession(make_table(LocalOptions(names=("Ana",), laps=1, legends=1, seed="5")))
    )
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        set_up = app.session.table.log[0]
        assert isinstance(set_up, e.RaceSetUp)
        told = set_up.seed_commitment
        assert "hash" not in app.panel("log")
        assert told[:8] not in app.panel("log")
        await pilot.press("l")
        await until(lambda: isinstance(app.screen, LogScreen))
        assert any(told in line.text.plain for line in app.controller.log)


@pytest.mark.asyncio
@pytest.mark.parametrize("is_ascii", [False, True])
async def test_beside_the_map_a_letter_in_the_car_s_colour_is_the_driver_s_name_where_there_are_colours(
    tmp_path: Path, is_ascii: bool
) -> None:
    save_settings(folders_in(tmp_path), Settings(ascii=is_ascii))
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1", "enter")
        held = app.session
        assert isinstance(held, HeldSession)
        who = "Ana" if is_ascii else "A"

        def has_played() -> bool:
            held.others_act()
            return f"{who} plays 1" in app.panel("log")

        await until(has_played)
        panel = app.race.query_one("#log", NewestLines)
        (line,) = [line for line in panel._lines if line.plain == f"{who} plays 1"]
        chips = [line.plain[span.start : span.end] for span in line.spans if span.style == CAR_STYLES["red"]]
        assert chips == ([] if is_ascii else ["A"])
        (heading,) = [text for text in panel.lines if "Round 2" in text]
        assert heading.strip("─- ") == "Round 2"
        assert len(heading) == panel.size.width - 1, "it is ruled"
