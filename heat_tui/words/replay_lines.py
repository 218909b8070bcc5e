"""What a replay shows besides the race screen's own panels: transport, hands, the list of what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from heat_core.bot_names import without_level
from heat_core.cards import HEAT, STRESS, CardName, Cards
from heat_core.sentences.card_words import card_name
from heat_tui.race.presenter import RaceLabels
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import ACTIVE, BOLD, CAR_STYLES, DIM, GOLD
from heat_tui.words.labels import cut
from heat_tui.words.log import LogLine

NO_HANDS: Final = "A spectator sees no hands."

_ROUND_CELLS: Final = 3
_NAME_CELLS: Final = 12
_SHORT: Final = {HEAT: "H", STRESS: "S"}
_FOLLOWING_SHARE: Final = 3
"""One part in so many of the list is for what is still to come."""


def rounds_line(rounds: Sequence[int], now: int, width: int) -> tuple[Text, list[Hit]]:
    """Draw the bar of rounds; where they do not all fit, those around the present one.

    Args:
        now: The round that is shown; one that is not among them before the first.
        width: In cells.

    Returns:
        The line and what can be clicked in it, on row 1.
    """
    line = Text(" round ", DIM)
    cells = max(_ROUND_CELLS, len(str(max(rounds, default=0))) + 1)
    room = max(1, (width - cell_len(line.plain) - 2 * _ROUND_CELLS) // cells)
    at = rounds.index(now) if now in rounds else 0
    first = max(0, min(at - room // 2, len(rounds) - room))
    shown = rounds[first : first + room]
    hits = []
    if first > 0:
        hits.append(_hit(line, " < ", DIM, f"walk('to_round', {shown[0] - 1})"))
    for number in shown:
        style = ACTIVE if number == now else DIM if number > now else BOLD
        hits.append(_hit(line, f"{number:>{cells - 1}} ", style, f"walk('to_round', {number})"))
    if first + room < len(rounds):
        hits.append(_hit(line, " > ", DIM, f"walk('to_round', {shown[-1] + 1})"))
    return line, hits


def _hit(line: Text, text: str, style: Style | str, action: str, row: int = 1) -> Hit:
    first = cell_len(line.plain)
    line.append(text, style)
    return Hit((row, first, cell_len(line.plain), action))


def transport_line(
    count: str, whose: str, *, is_verified: bool, is_playing: bool, speed: float, width: int
) -> tuple[Text, list[Hit]]:
    """Draw the buttons, whose view it is, whether the record may be made up, and which event.

    Args:
        count: Which event of how many.
        whose: The view.

    Returns:
        The line and what can be clicked in it, on row 2.
    """
    line = Text(" ")
    key = Style(color=GOLD, bold=True)
    buttons = (
        ("|<", "walk('start')"),
        ("<<", "walk('round', -1)"),
        ("<", "walk('event', -1)"),
        ("pause" if is_playing else "play ", "play"),
        (f"{speed:g}x", "speed(1)"),
        (">", "walk('event', 1)"),
        (">>", "walk('round', 1)"),
        (">|", "walk('end')"),
    )
    hits = []
    for label, action in buttons:
        hits.append(_hit(line, label, key, action, row=2))
        line.append("  ")
    doubt = "" if is_verified else "not verified  "
    room = width - cell_len(line.plain) - cell_len(doubt + count) - 2
    whose = f"view: {whose}" if cell_len(whose) + 6 <= room else whose
    whose = cut(whose, max(0, room), is_ascii=True).plain
    hits.append(_hit(line, whose, BOLD, "look('next', 1)", row=2))
    line.append(" " * (room + 1 - cell_len(whose)))
    line.append(doubt, Style(color=GOLD))
    line.append(f"{count} ", DIM)
    return line, hits


def hands_lines(
    hands: Sequence[tuple[int, Cards]], labels: RaceLabels, width: int, height: int
) -> list[Text]:
    """List hands, in as many columns as the panel's height asks for.

    Args:
        hands: Each with the number of its car.
    """
    columns = -(-len(hands) // max(1, height))
    cells = max(1, width // max(1, columns))
    lines = []
    for row in range(-(-len(hands) // max(1, columns))):
        line = Text()
        for number, hand in hands[row * columns : (row + 1) * columns]:
            entry = Text()
            entry.append(labels.letters[number], CAR_STYLES[labels.setup.cars[number].colour])
            if columns == 1:
                name = labels.names[number]
                shown = name if cell_len(name) <= _NAME_CELLS else without_level(name)
                entry.append(f" {cut(shown, _NAME_CELLS, is_ascii=True).plain:<{_NAME_CELLS}}")
            entry.append(f" {hand_words(hand)}")
            entry = cut(entry, cells - 1, is_ascii=True)
            entry.append(" " * (cells - entry.cell_len))
            line.append_text(entry)
        lines.append(line)
    return lines


def hand_words(hand: Sequence[CardName]) -> str:
    """Say a hand in as few signs as possible: `4 3 +5 S H`."""
    return " ".join(_SHORT.get(card) or card_name(card) for card in hand) or "no cards"


def happened_lines(
    told: Sequence[LogLine], place: int, width: int, height: int, console: Console
) -> tuple[list[Text], list[Hit]]:
    """Wrap what happened around a moment: mostly what led there, and a little of what comes.

    Args:
        told: One line for each moment.
        place: The present one, which is marked.
    """
    if width < 3 or height < 1:
        return [], []
    shown = {place: _wrapped(told[place].text, width, console, is_now=True)[:height]}
    free = height - len(shown[place])
    for places, room in (
        (range(place - 1, -1, -1), free - free // _FOLLOWING_SHARE),
        (range(place + 1, len(told)), free),
        (range(place - 1, -1, -1), free),
    ):
        spent = 0
        for other in places:
            if other in shown:
                continue
            block = _wrapped(told[other].text, width, console, is_now=False)
            if spent + len(block) > min(room, free):
                break
            if other > place:
                for line in block:
                    line.stylize(DIM)
            shown[other] = block
            spent += len(block)
        free -= spent
    lines: list[Text] = []
    hits = []
    for other in sorted(shown):
        hits += [
            Hit((len(lines) + row, 0, width, f"walk('to_moment', {other})"))
            for row in range(len(shown[other]))
        ]
        lines += shown[other]
    return lines, hits


def _wrapped(text: Text, width: int, console: Console, *, is_now: bool) -> list[Text]:
    marked = []
    for row, part in enumerate(text.wrap(console, width - 2)):
        mark = "> " if is_now and not row else "  "
        if is_now:
            part.stylize(BOLD)
        marked.append(Text.assemble((mark, Style(bold=True, color=GOLD)), part))
    return marked


FIRST_KEYS: Final = (
    ("arrows", "event, turn", ""),
    ("{replay.play}", "play", "play"),
    ("{replay.list}", "log", "list_events"),
    ("{replay.plot}", "positions", "plot"),
    ("{results.analysis}", "analysis", "analysis"),
    ("{replay.export}", "export", "export"),
    ("{view.help}", "keys", "help"),
    ("{view.leave}", "back", "leave"),
)
"""The keys that one needs first, for the line at the foot."""

KEYS: Final = (
    ("left, right", "one event back or forward"),
    ("up, down", "one turn back or forward"),
    ("PageUp, PageDown", "one round back or forward"),
    ("Home, End", "go to the start or the end"),
    ("{replay.round}", "go to a round by number, or click the bar of rounds"),
    ("{replay.play}", "play, pause"),
    ("{replay.faster}, {replay.slower}", "faster, slower"),
    ("{replay.next_view}", "next view: all hands, each seat, a spectator"),
    ("{replay.view_before}", "previous view"),
    ("0, 1 to 8, 9", "all hands, the view of one car, a spectator's view"),
    ("{replay.list}", "the log; Enter there goes to that moment"),
    ("{replay.plot}", "positions over the rounds instead of the map, and back"),
    ("{replay.results}, {results.analysis}", "the table of results; what choices cost, and luck"),
    ("{replay.export}", "export this moment as a picture, or the race as text"),
    ("{map.zoom_in}, {map.zoom_out}", "zoom of the map"),
    ("shift+arrows", "scroll the map; {map.follow} follows the cars again"),
    (
        "{map.look_back} and {map.look_ahead}",
        "look along the road, as the mouse does: what is where",
    ),
    ("{map.whole}", "show the whole map, and back"),
    ("{map.numbers}", "number the spaces"),
    ("{view.cards}", "explain the cards of the seat in view"),
    ("{view.piles}", "its discard pile and draw pile"),
    ("{view.weather}", "weather and road: limits and sectors"),
    ("{view.signs}", "explain all signs"),
    ("{view.how_to_play}", "how to play: the nine phases of a round"),
    ("{view.leave}, Escape", "back"),
)
