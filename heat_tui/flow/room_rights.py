"""Who may do what in a room, and when: checked before asking the server, so that a refusal says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from heat_core.wire.messages import LobbyView, RoomPhase

Action: TypeAlias = Literal[
    "ready", "rename", "colour", "start", "fill", "configure", "lock", "remove", "stand_in", "rematch"
]


class _Right(NamedTuple):
    """Who may do something, and when.

    Attributes:
        what: It, behind "can".
        is_hosts: Whether it is for the host alone; else for every driver.
        phases: In which it can be done; empty: in all.
    """

    what: str
    is_hosts: bool
    phases: tuple[RoomPhase, ...]


_RIGHTS: Final[Mapping[Action, _Right]] = {
    "ready": _Right("be ready", False, ("lobby", "between")),
    "rename": _Right("change their name", False, ("lobby",)),
    "colour": _Right("change their car", False, ("lobby",)),
    "start": _Right("start the race", True, ("lobby", "between")),
    "fill": _Right("add and remove bots and Legends", True, ("lobby",)),
    "configure": _Right("change the settings", True, ("lobby",)),
    "lock": _Right("set and remove the password", True, ()),
    "remove": _Right("remove people", True, ()),
    "stand_in": _Right("let bots drive for absent drivers", True, ("between",)),
    "rematch": _Right("call a rematch", True, ("ended",)),
}
_WHEN: Final[Mapping[tuple[RoomPhase, ...], str]] = {
    ("lobby",): "in the lobby, before the race",
    ("lobby", "between"): "before a race",
    ("between",): "between two races of a championship",
    ("ended",): "after the last race",
}


def why_not(room: LobbyView | None, action: Action) -> str:
    """Say why somebody cannot do something in a room now, in one sentence; empty where they can.

    Args:
        room: As they were told of it; None: not yet.
    """
    right = _RIGHTS[action]
    if room is None:
        return "The server has not described the room yet."
    if right.is_hosts and room.place != room.host:
        return f"Only the host can {right.what}."
    if room.place is None:
        return f"You are watching. Only drivers can {right.what}."
    if right.phases and room.phase not in right.phases:
        return f"That is possible only {_WHEN[right.phases]}."
    return ""
