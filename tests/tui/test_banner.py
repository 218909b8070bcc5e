"""The first line of the race: where there is little room, the track's name gives way and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from heat_core.options.table_options import LocalOptions
from heat_core.race import events as e
from heat_core.track import compile_track
from heat_tui.flow.banner import _right, _time_bar, banner_line
from heat_tui.flow.people import People
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.flow.table_factory import make_table
from heat_tui.flow.turn_replay import TurnReplay
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.glyphs import ASCII
from tests.tui.support_race import table_at


def told(
    width: int,
    *,
    people: People = People(),  # noqa: B008
    track: str = "gb",
    is_hot_seat: bool = False,
    replayed: Sequence[e.Event] = (),
    names: Sequence[str] = ("Ana", "Ben"),
    is_done: bool = False,
    **of_view: Any,
) -> str:
    """Give the line of two people's race in which Ana and Ben owe their gears."""
    table = make_table(LocalOptions(names=tuple(names), track=track, laps=1, legends=1, seed="5"))
    labels, view = RaceLabels.of(table.setup), table.view(0)
    if is_done:
        view = msgspec.structs.replace(view, decisions=tuple(one for one in view.decisions if one.seat))
    turn_replay = TurnReplay(labels, compile_track(table.setup.track)) if replayed else None
    for event in replayed:
        assert turn_replay is not None
        turn_replay.tell(event, None)
    shown = ScreenModel(
        view=msgspec.structs.replace(view, **of_view),
        viewer=0,
        curtain=None,
        draft=None,
        observation=None,
        message="",
        seconds_left=57.0,
        connection="connected",
        turn_replay=turn_replay,
        is_hot_seat=is_hot_seat,
        people=people,
    )
    line = banner_line(shown, labels, width, is_ascii=False, chat_key="Tab").plain
    assert cell_len(line) <= width
    return line


@pytest.mark.parametrize("unread", [0, 1])
def test_at_80_cells_the_name_of_the_track_is_cut_first(unread: int) -> None:
    line = told(80, people=People(is_there=True, unread=unread))
    assert line.startswith(" lap 1/1")
    assert ("P1 of 3" in line) == (not unread)
    for part in ("lap 1/1 · round 1 ", "1 SHIFT GEARS: choose a gear ", "you, Ben · 0:57"):
        assert part in line
    assert ("1 new: Tab" in line) == bool(unread)


def test_around_one_keyboard_it_says_whose_hand_is_open() -> None:
    assert "1 SHIFT GEARS: Ana, choose a gear " in told(80, is_hot_seat=True)


def test_a_wide_line_names_the_track_whole() -> None:
    line = told(120)
    assert line.startswith(
        " Great Britain  lap 1/1 · round 1   ◉─○─○─○─○─○─○─○─○  1 SHIFT GEARS: choose a gear "
    )
    assert line.rstrip().endswith("P1 of 3  you, Ben · 0:57 ▰▰▰▰▰▰")


def test_while_a_turn_is_shown_the_gauge_stands_at_the_phase_that_the_words_name() -> None:
    line = told(120, replayed=(e.PhaseEntered(3), e.TurnStarted(1)))
    assert "●─●─◉─○─○─○─○─○─○  3 MOVE: Ben" in line


def test_the_bar_of_the_time_has_a_sign_for_each_ten_seconds() -> None:
    assert [_time_bar(left, ASCII).strip() for left in (0.0, 1.0, 10.0, 10.5, 300.0)] == [
        "......",
        "=.....",
        "=.....",
        "==....",
        "======",
    ]


def test_where_there_is_no_room_for_it_at_all_the_track_is_left_out() -> None:
    standstill = "paused: Sixteen letters. and Bartholomew must agree"
    line = told(80, people=People(is_there=True, standstill=standstill))
    assert line.startswith(f" lap 1/1 · round 1   {standstill} ")


@pytest.mark.parametrize("names", ["Ben", "Bartholomew, Cleopatra, Dorothea"])
@pytest.mark.parametrize("unread", [0, 1, 40])
def test_that_it_is_ones_own_turn_is_never_cut(names: str, unread: int) -> None:
    for room in range(3, 60):
        told = _right(f"{unread} new: Tab" if unread else "", f"you, {names}", room, is_ascii=True)
        assert cell_len(told) <= room
        assert "you" in told or room < len("you...")
        assert "new" not in told or str(unread) in told


def test_at_80_cells_news_leave_room_for_you() -> None:
    people = People(is_there=True, unread=12)
    line = told(80, people=people, is_last_round=True, round=12)
    assert "12 new" in line
    assert "you" in line.split("12 new")[1]
    assert line.rstrip().endswith("0:57")


def test_at_80_cells_the_own_place_gives_way_to_who_is_awaited() -> None:
    line = told(80, names=("Ana", "Bartolomeo"), is_done=True)
    assert line.rstrip().endswith("waiting for Bartolomeo · 0:57")
    line = told(80, names=("Ana", "Bartholomew Sixt"), is_done=True)
    assert line.rstrip().endswith(" for Bartholomew Sixt · 0:57")
    assert "P1 of 3" in told(100, is_done=True)


def test_the_own_place_goes_with_the_cars_that_drive() -> None:
    assert "P1 of 3" in told(120)
    others_pass = (
        e.TurnStarted(1),
        e.CarMoved(1, "cards", 9, 490, 499, 0, ()),
        e.CarMoved(2, "cards", 5, 490, 495, 0, ()),
    )
    assert "P3 of 3" in told(120, replayed=others_pass)


@pytest.mark.parametrize(("viewer", "lap"), [(0, "1/3"), (1, "2/3"), (None, "2/3")])
def test_the_lap_is_ones_own_and_for_who_watches_the_leaders(viewer: int | None, lap: str) -> None:
    cars = {"Ana": "lap 1 space 30 gear 2 engine 5 hand 1 2 3 4", "Ben": "lap 2 space 3 gear 2 engine 5"}
    table = table_at(cars, laps=3)
    shown = ScreenModel(
        view=table.view(viewer),
        viewer=viewer,
        curtain=None,
        draft=None,
        observation=None,
        message="",
        seconds_left=None,
        connection="local",
        turn_replay=None,
        is_hot_seat=False,
        people=People(),
    )
    line = banner_line(shown, RaceLabels.of(table.setup), 120, is_ascii=False, chat_key="Tab")
    assert f" lap {lap} · round " in line.plain
