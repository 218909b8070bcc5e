"""Changes of the host that the server has not confirmed yet: a quick second change keeps the first.

The server is sent the settings as a whole. Each change is therefore kept as what it does to settings, and is
made to the newest ones that the server has sent, behind the changes before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from heat_core.wire.messages import LobbyView, RoomOptions

Change: TypeAlias = Callable[[RoomOptions], RoomOptions]


class OptionChanges:
    """Changes on their way, the oldest first."""

    def __init__(self) -> None:
        """Begin with none."""
        self._changes: list[Change] = []
        self._taken: dict[Change, LobbyView] = {}

    def add(self, change: Change) -> None:
        """Note a change that will be sent."""
        self._changes.append(change)

    def applied(self, room: LobbyView, last: Change | None = None) -> RoomOptions:
        """Give a room's options with the changes on their way.

        Args:
            last: Only up to this change; None: with all.
        """
        self._drop_confirmed(room)
        options = room.options
        for change in self._changes:
            options = change(options)
            if change is last:
                break
        return options

    def refused(self, change: Change) -> None:
        """Drop a change that the server did not take."""
        self._drop(change)

    def taken(self, change: Change, room: LobbyView) -> None:
        """Note that the server took a change; it holds here until the server's next word on the room.

        Args:
            room: As known when the server said so.
        """
        self._taken[change] = room

    def _drop_confirmed(self, room: LobbyView) -> None:
        for change, before in list(self._taken.items()):
            if room is not before or change(room.options) == room.options:
                self._drop(change)

    def _drop(self, change: Change) -> None:
        self._changes.remove(change)
        self._taken.pop(change, None)
