"""The first line of the race screen: the own lap and the round, whom the race waits for, and for how long."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from heat_core.race.phase import Phase
from heat_tui.client.connection_state import ConnectionState
from heat_tui.flow.garage import is_garage, picker_text
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.race.order import ranked
from heat_tui.race.presenter import PHASE_NAMES, RaceLabels, asked, waiting_for
from heat_tui.theme.colours import BOLD, DIM, GOLD, ON_RED
from heat_tui.theme.glyphs import ASCII, UNICODE, Glyphs
from heat_tui.words.labels import cut

_USUAL_TRACK_CELLS: Final = 12
_LEAST_TRACK_CELLS: Final = 4
"""Where there is room for less, the track is not named."""
_MARGIN_CELLS: Final = 6
_CHIP_CELLS: Final = 3
"""What the track's chip needs besides its name."""
_TIME_SIGNS: Final = 6
_YOU: Final = "you"
"""Stands first among those who are waited for; see `waiting_for`."""
_CONNECTION: Final[dict[ConnectionState, str]] = {
    "local": "",
    "connecting": "connecting ...",
    "connected": "",
    "moving": "moving to another server ...",
    "reconnecting": "reconnecting ...",
    "offline": "offline",
}


def banner_line(shown: ScreenModel, labels: RaceLabels, width: int, *, is_ascii: bool, chat_key: str) -> Text:
    """Make the line.

    The gauge of the phases and the bar of the time are the first to go where there is little room, then the
    own place, unless it is one's own turn, then the names of those whom all wait for, then the track's.

    Args:
        width: Of the screen, in cells.
        is_ascii: Whether what is cut must be marked in plain signs.
    """
    glyphs = ASCII if is_ascii else UNICODE
    phase = _phase(shown, labels)
    right, clock = _waiting(shown, labels)
    place = _own_place(shown)
    news = ""
    if shown.people.unread and not _CONNECTION[shown.connection]:
        news = f"{shown.people.unread} new: {chat_key}"
    whole = " · ".join(filter(None, (news, right)))
    left = width - _MARGIN_CELLS - cell_len(phase) - cell_len(place + whole + clock)
    line = Text()
    track, so_far = _place(shown, labels, width, left, is_ascii=is_ascii)
    if track:
        line.append(f" {track} ", ON_RED)
    line.append(f" {so_far}   ")
    room = width - cell_len(line.plain + phase + place + whole + clock) - _MARGIN_CELLS - 2
    reached = shown.turn_replay.phase if shown.turn_replay is not None else shown.view.phase
    for is_linked in (True, False):
        gauge = _gauge(reached, glyphs, is_linked=is_linked)
        if gauge.cell_len <= room:
            line.append_text(gauge).append("  ")
            break
    name, colon, asked_for = phase.partition(":")
    line.append(name, Style(bold=True, color=GOLD)).append(colon + asked_for, BOLD)
    room = max(0, width - line.cell_len - 2)
    line.append(" ")
    least = len(_YOU) + 4 if right.startswith(_YOU) else cell_len(right)  # the standings have the place, too
    if place and cell_len(place + clock) + least <= room and not news:
        room -= cell_len(place)
    else:
        place = ""
    if cell_len(whole + clock) > room:
        right = right.removeprefix("waiting ")
    bar = _time_bar(shown.seconds_left, glyphs) if clock else ""
    if cell_len(whole + clock + bar) > room:
        bar = ""
    right = _right(news, right, max(0, room - len(clock)), is_ascii=is_ascii) + clock + bar
    line.append(" " * (room - cell_len(right)))
    line.append(place, Style(bold=True, color=GOLD))
    line.append(right.removesuffix(bar)).append(bar, Style(color=GOLD))
    return line


def _own_place(shown: ScreenModel) -> str:
    """Say the own place among those who race, "" where there is none."""
    view = shown.view
    if shown.viewer is None or is_garage(view) or shown.viewer not in view.ranking:
        return ""
    places = shown.turn_replay.places if shown.turn_replay is not None else {}
    ranking = ranked((view.cars[number] for number in view.ranking), places)
    return f"P{ranking.index(shown.viewer) + 1} of {len(ranking)}  "


def _gauge(phase: Phase, glyphs: Glyphs, *, is_linked: bool) -> Text:
    """Draw the nine phases of a round as steps: those behind, the present one, those to come.

    Args:
        is_linked: Whether a line joins them.
    """
    number = int(phase) if Phase.SHIFT_GEARS <= phase <= Phase.REPLENISH else 0
    gauge = Text()
    for step in range(1, int(Phase.REPLENISH) + 1):
        is_past = step <= number
        style = Style(color=GOLD) if is_past else DIM
        if is_linked and step > 1:
            gauge.append(glyphs.card_top[1], style)
        gauge.append(
            (glyphs.step_here if step == number else glyphs.step_done) if is_past else glyphs.step, style
        )
    return gauge


def _time_bar(seconds: float | None, glyphs: Glyphs) -> str:
    """Draw the time left, a sign for each ten seconds."""
    if seconds is None:
        return ""
    full = min(_TIME_SIGNS, max(0, -int(-seconds // 10)))
    return f" {glyphs.time_full * full}{glyphs.time_empty * (_TIME_SIGNS - full)}"


def _right(news: str, due: str, room: int, *, is_ascii: bool) -> str:
    """Say how much is new in the chat and whom all wait for, in so many cells.

    What matters most is that it is your own turn. The names of the others give way first, then the key for
    the chat, then that there is anything new.
    """
    if not news or not due:
        return cut(news or due, room, is_ascii=is_ascii).plain
    least = len(_YOU) + (3 if is_ascii else 1)  # and the mark that there are others
    for told in (news, news.partition(":")[0]):
        left = room - cell_len(told) - len(" · ")
        if left >= cell_len(due) or (due.startswith(_YOU) and left >= least):
            return f"{told} · {cut(due, left, is_ascii=is_ascii).plain}"
    whole = due if due.startswith(_YOU) else f"{news} · {due}"
    return cut(whole, room, is_ascii=is_ascii).plain


def _place(
    shown: ScreenModel, labels: RaceLabels, width: int, left: int, *, is_ascii: bool
) -> tuple[str, str]:
    """Say which race it is and how far: the track's name in what is left, as all else matters more.

    Args:
        width: Of the screen, in cells.
        left: By what else is in the line, in cells.

    Returns:
        The name, "" where there is no room for one; round and lap, who watches those of the leader.
    """
    view, setup = shown.view, labels.setup
    if is_garage(view):
        most, so_far = cell_len(setup.track.name), "before the race"
    else:
        car = view.cars[view.ranking[0] if shown.viewer is None else shown.viewer]
        lap = max(1, min(car.lap, setup.laps))
        last = " (last)" if view.is_last_round and view.status != "ended" else ""
        most = max(_USUAL_TRACK_CELLS, width // 7)
        so_far = f"lap {lap}/{setup.laps} · round {view.round}{last}"
    most = min(most, left - cell_len(so_far) - _CHIP_CELLS)
    if most < min(_LEAST_TRACK_CELLS, cell_len(setup.track.name)):
        return "", so_far
    return cut(setup.track.name, most, is_ascii=is_ascii).plain, so_far


def _phase(shown: ScreenModel, labels: RaceLabels) -> str:
    """Say what continues, or why nothing does."""
    view = shown.view
    if shown.people.standstill and view.status != "ended":
        return shown.people.standstill
    phase = "GARAGE" if is_garage(view) else PHASE_NAMES[view.phase]
    if shown.turn_replay is not None:
        return shown.turn_replay.title
    if view.own is not None and view.own.chosen is not None:
        return f"{phase}: chosen"
    if is_garage(view):
        return f"{phase}: {picker_text(view, labels)}"
    if request := asked(view):
        # Around one keyboard it says whose hand is open.
        whose = f"{labels.names[view.own.seat]}, " if shown.is_hot_seat and view.own is not None else ""
        return f"{phase}: {whose}{request}"
    return f"{phase}: {labels.names[view.turn.car]}" if view.turn is not None else phase


def _waiting(shown: ScreenModel, labels: RaceLabels) -> tuple[str, str]:
    """Say whom all wait for, or how the line stands; and how long yet."""
    view = shown.view
    if _CONNECTION[shown.connection]:
        return _CONNECTION[shown.connection], ""
    if shown.turn_replay is not None:
        return "any key skips", ""
    if view.status == "ended":
        return "Enter: results", ""
    if shown.people.standstill:
        return "", ""
    due = waiting_for(view, labels, None if shown.is_hot_seat else shown.viewer)
    if not due:
        return "", ""
    right = due if due.startswith(_YOU) or shown.is_hot_seat else f"waiting for {due}"
    if shown.seconds_left is None:
        return right, ""
    seconds = max(0, round(shown.seconds_left))
    return right, f" · {seconds // 60}:{seconds % 60:02}"
