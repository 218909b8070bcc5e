"""All that the panels of the race screen show at one moment."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.view.race_view import Observation, RaceView
from heat_tui.client.line_state import ConnectionState
from heat_tui.flow.turn_replay import TurnReplay
from heat_tui.race.draft import Draft


class People(NamedTuple):
    """What is shown of the people around a table at a server.

    Attributes:
        is_there: Whether there are any: the table stands at a server.
        unread: Lines of the chat that nobody here has seen.
        standstill: Why no time runs; empty while it does.
        note: What somebody wishes, and how to answer.
        is_watching: Whether this client only looks on.
    """

    is_there: bool = False
    unread: int = 0
    standstill: str = ""
    note: str = ""
    is_watching: bool = False


class ScreenModel(NamedTuple):
    """Everything that the panels show at one moment.

    Attributes:
        viewer: Whose hand is open, None for nobody's.
        curtain: To whom the keyboard should go, None where it need not move.
        observation: The viewer's.
        turn_replay: What turns up or drives just now.
        is_hot_seat: Whether several people play at this keyboard, so that nobody is just `you`.
        hint: The figures of what is pointed at.
        looked_at: Which open upgrade is explained while others pick.
        away: Seats that are driven for.
        people: Those around the table, where it stands at a server.
    """

    view: RaceView
    viewer: int | None
    curtain: int | None
    draft: Draft | None
    observation: Observation | None
    message: str
    seconds_left: float | None
    connection: ConnectionState
    turn_replay: TurnReplay | None = None
    is_hot_seat: bool = False
    hint: str = ""
    looked_at: int = 0
    away: frozenset[int] = frozenset()
    people: People = People()
