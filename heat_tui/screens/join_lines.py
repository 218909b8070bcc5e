"""The lines of the lists of servers and rooms."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from heat_core.text import counted
from heat_tui.flow.joining import RoomLine
from heat_tui.nearby import NearbyServer
from heat_tui.words.labels import cut

MOST_NAME_CELLS: Final = 18

_TRACK_CELLS: Final = 14
ROOMS_HEADING: Final = f"{'code':<7}{'track':<{_TRACK_CELLS + 1}}laps  cars  {'state':<10}{'entry':<10}host"
SERVERS_HEADING: Final = f"{'name':<{MOST_NAME_CELLS + 2}}{'address':<27}{'rooms':<10}also by"


def describe_server(server: NearbyServer, *, is_ascii: bool) -> Text:
    """Make the line of a server nearby."""
    name = cut(server.name, MOST_NAME_CELLS, is_ascii=is_ascii)
    name.stylize("bold")
    name.pad_right(MOST_NAME_CELLS + 2 - name.cell_len)
    rooms = "" if server.rooms is None else counted(server.rooms, "room")
    note = server.other_ways if server.is_speaking_ours else f"version {server.version}"
    return Text.assemble(name, f"{server.address!s:<26} {rooms:<9} {note}")


def describe_room(room: RoomLine, *, is_ascii: bool) -> Text:
    """Make the line of a room."""
    track = cut(room.track, _TRACK_CELLS, is_ascii=is_ascii)
    track.pad_right(_TRACK_CELLS + 1 - track.cell_len)
    entry = "password" if room.is_private else "free"
    return Text.assemble(
        (f"{room.code:<7}", "bold"),
        track,
        f"{room.laps:>4}  {f'{room.players}/{room.cars}':>4}  {room.state:<10}{entry:<10}",
        Text(room.host),
    )


def room_notes(room: RoomLine) -> list[str]:
    """Say what there is to know of the chosen room, beside its circuit."""
    players = f"{room.players} of {counted(room.cars, 'car')} have a driver."
    password = ["You need its password."] if room.is_private else []
    return [f"Room {room.code} of {room.host}: {room.state}.", players, *password]
