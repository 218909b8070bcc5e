"""The first line of the race: where there is little room, the track's name gives way and nothing else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from heat_tui.makerace import Wishes, make_table
from heat_tui.race.banner import banner_line
from heat_tui.race.presenter import Cast
from heat_tui.race.shown import People, Shown


def told(
    width: int,
    *,
    people: People = People(),  # noqa: B008
    track: str = "gb",
    is_hot_seat: bool = False,
    **of_view: Any,
) -> str:
    """Give the line of two people's race in which Ana and Ben owe their gears."""
    table = make_table(Wishes(names=("Ana", "Ben"), track=track, laps=1, legends=1, seed="5"))
    shown = Shown(
        view=msgspec.structs.replace(table.view(0), **of_view),
        viewer=0,
        curtain=None,
        draft=None,
        sight=None,
        message="",
        seconds_left=57.0,
        connection="connected",
        stage=None,
        is_hot_seat=is_hot_seat,
        people=people,
    )
    line = banner_line(shown, Cast.of(table.setup), width, is_ascii=False, chat_key="Tab").plain
    assert cell_len(line) <= width
    return line


@pytest.mark.parametrize("unread", [0, 1])
def test_at_80_cells_the_name_of_the_track_is_cut_first(unread: int) -> None:
    line = told(80, people=People(is_there=True, unread=unread))
    assert line.startswith(" Great" if not unread else " ")
    for part in ("lap 1/1 · round 1 ", "1 SHIFT GEARS: choose a gear ", "you, Ben · 0:57"):
        assert part in line
    assert ("1 new: Tab" in line) == bool(unread)


def test_around_one_keyboard_it_says_whose_hand_is_open() -> None:
    assert "1 SHIFT GEARS: Ana, choose a gear " in told(80, is_hot_seat=True)


def test_a_wide_line_names_the_track_whole() -> None:
    assert told(120).startswith(" Great Britain · lap 1/1 · round 1   1 SHIFT GEARS: choose a gear ")


def test_where_there_is_no_room_for_it_at_all_the_track_is_left_out() -> None:
    standstill = "paused: Sixteen letters. and Bartholomew must agree"
    line = told(80, people=People(is_there=True, standstill=standstill))
    assert line.startswith(f" lap 1/1 · round 1   {standstill} ")
