"""The first line of the race screen: where the race stands, whom it waits for, and how long yet."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from heat_tui.labels import cut
from heat_tui.race.garage import is_garage, picker_text
from heat_tui.race.presenter import PHASE_NAMES, Cast, asked, waiting_for
from heat_tui.race.shown import Shown
from heat_tui.session import ConnectionState

_LEAST_TRACK_CELLS: Final = 12
_CONNECTION: Final[dict[ConnectionState, str]] = {
    "local": "",
    "connecting": "connecting ...",
    "connected": "",
    "reconnecting": "reconnecting ...",
    "offline": "offline",
}


def banner_line(shown: Shown, cast: Cast, width: int, *, is_ascii: bool, chat_key: str) -> Text:
    """Make the line.

    Args:
        width: Of the screen, in cells.
        is_ascii: Whether what is cut must be marked in plain signs.
    """
    line = Text(f" {_place(shown, cast, width, is_ascii=is_ascii)}   ")
    line.append(_phase(shown, cast), Style(bold=True))
    room = max(0, width - cell_len(line.plain) - 2)
    line.append(" ")
    right, clock = _waiting(shown, cast)
    if shown.people.unread and not _CONNECTION[shown.connection]:
        right = f"{shown.people.unread} new: {chat_key}" + (f" · {right}" if right else "")
    right = set_cell_size(right, min(max(0, room - len(clock)), cell_len(right))) + clock
    line.append(" " * (room - cell_len(right)) + right)
    return line


def _place(shown: Shown, cast: Cast, width: int, *, is_ascii: bool) -> str:
    """Say which race it is and how far."""
    view, setup = shown.view, cast.setup
    if is_garage(view):
        return f"{setup.track.name} · before the race"
    track = cut(setup.track.name, max(_LEAST_TRACK_CELLS, width // 7), is_ascii=is_ascii).plain
    leader = view.cars[view.ranking[0]]
    lap = max(1, min(leader.lap, setup.laps))
    last = " (last)" if view.is_last_round and view.status != "ended" else ""
    return f"{track} · lap {lap}/{setup.laps} · round {view.round}{last}"


def _phase(shown: Shown, cast: Cast) -> str:
    """Say what goes on, or why nothing does."""
    view = shown.view
    if shown.people.standstill and view.status != "ended":
        return shown.people.standstill
    phase = "GARAGE" if is_garage(view) else PHASE_NAMES[view.phase]
    if shown.stage is not None:
        return shown.stage.title
    if view.own is not None and view.own.chosen is not None:
        return f"{phase}: chosen"
    if is_garage(view):
        return f"{phase}: {picker_text(view, cast)}"
    if request := asked(view):
        return f"{phase}: {request}"
    return f"{phase}: {cast.names[view.turn.car]}" if view.turn is not None else phase


def _waiting(shown: Shown, cast: Cast) -> tuple[str, str]:
    """Say whom all wait for, or how the line stands; and how long yet."""
    view = shown.view
    if _CONNECTION[shown.connection]:
        return _CONNECTION[shown.connection], ""
    if shown.stage is not None:
        return "any key skips", ""
    if view.status == "ended":
        return "Enter: results", ""
    if shown.people.standstill:
        return "", ""
    due = waiting_for(view, cast, None if shown.is_hot_seat else shown.viewer)
    if not due:
        return "", ""
    right = due if due.startswith("you") or shown.is_hot_seat else f"waiting for {due}"
    if shown.seconds_left is None:
        return right, ""
    seconds = max(0, round(shown.seconds_left))
    return right, f" · {seconds // 60}:{seconds % 60:02}"
