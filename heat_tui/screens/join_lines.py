"""The lines of the lists of servers and rooms."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from heat_core.text import counted
from heat_tui.flow.joining import RoomLine
from heat_tui.nearby import NearbyServer
from heat_tui.words.labels import cut

MOST_NAME_CELLS: Final = 18

_TRACK_CELLS: Final = 13


def describe_server(server: NearbyServer, *, is_ascii: bool) -> Text:
    """Make the line of a server nearby."""
    name = cut(server.name, MOST_NAME_CELLS, is_ascii=is_ascii)
    name.stylize("bold")
    name.pad_right(MOST_NAME_CELLS + 2 - name.cell_len)
    rooms = "" if server.rooms is None else counted(server.rooms, "room")
    note = "" if server.is_speaking_ours else f"version {server.version}"
    return Text.assemble(name, f"{server.address!s:<22} {rooms:<10} {note}")


def describe_room(room: RoomLine, *, is_ascii: bool) -> Text:
    """Make the line of a room."""
    track = cut(room.track, _TRACK_CELLS, is_ascii=is_ascii)
    track.pad_right(_TRACK_CELLS + 1 - track.cell_len)
    privacy = "private" if room.is_private else ""
    return Text.assemble(
        (f"{room.code:<7}", "bold"),
        track,
        f"{room.laps:<7}{room.players}/{room.cars} cars  {room.state:<9}{privacy:<8}host ",
        Text(room.host),
    )
