"""The analysis of a race as text: the chances over the rounds, each driver's figures, the mistakes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from heat_core.coach.analysis import Analysis, RoundChances, SeatAnalysis
from heat_core.coach.analysis_words import better_text, luck_text, signed_spaces
from heat_core.coach.rounds import JudgedChoice
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import CAR_STYLES

_NAME_CELLS: Final = 16
_DIM: Final = Style(dim=True)
_ROUND_CELLS: Final = (3, 2, 1)
"""Cells for a round in the chart, the widest that fits first."""
_LEVELS: Final = " ▁▂▃▄▅▆▇█"
_ASCII_LEVELS: Final = ".123456789#"
"""Tenths, 1 as `#`."""

EXPLAINED: Final = "Lost: spaces against the best choices. Luck: spaces that cards brought."


def own_first(seats: Sequence[SeatAnalysis], own: Collection[int]) -> list[SeatAnalysis]:
    """Put the seats of this keyboard before the others."""
    return sorted(seats, key=lambda each: each.seat not in own)


def chances_chart(labels: RaceLabels, rounds: Sequence[RoundChances], width: int, *, is_ascii: bool) -> Text:
    """Draw each car's chance of winning over the rounds, one line a car, as far as they fit: the newest.

    Args:
        width: In cells.
    """
    room = width - _NAME_CELLS - 9
    cells = next((cells for cells in _ROUND_CELLS if len(rounds) * cells <= room), _ROUND_CELLS[-1])
    shown = rounds[-max(1, room // cells) :]
    text = Text()
    numbers = "".join(f"{each.round if each.round % 5 == 0 else '':<{cells}}"[:cells] for each in shown)
    if cells == 1:
        numbers = "".join(str(each.round % 10) if each.round % 5 == 0 else " " for each in shown)
    text.append(f"{'':<{_NAME_CELLS + 3}}{numbers}\n", _DIM)
    levels = _ASCII_LEVELS if is_ascii else _LEVELS
    for number in range(len(labels.names)):
        _append_car(text, labels, number)
        for each in shown:
            text.append(levels[round(each.chances[number] * (len(levels) - 1))] * cells)
        text.append(f" {max(each.chances[number] for each in rounds[:-1] or rounds):>4.0%}\n", _DIM)
    return text


def _append_car(text: Text, labels: RaceLabels, number: int) -> None:
    text.append(labels.letters[number], CAR_STYLES[labels.setup.cars[number].colour])
    name = set_cell_size(labels.names[number], _NAME_CELLS).rstrip()
    text.append(f" {name}" + " " * (_NAME_CELLS + 1 - cell_len(name)))


def seats_table(labels: RaceLabels, seats: Sequence[SeatAnalysis]) -> Text:
    """Make the table of accuracy, loss and luck: a line a driver, in spaces."""
    text = Text()
    heads = ("accuracy", "lost", "luck", "hands", "flips", "Legends")
    text.append(f"{'':<{_NAME_CELLS + 2}}" + "".join(f"{head:>9}" for head in heads) + "\n", _DIM)
    for each in seats:
        _append_car(text, labels, each.seat)
        text.append(f"{each.accuracy:>8.0f}", Style(bold=True))
        figures = [
            f"{each.lost:.1f}",
            signed_spaces(each.luck),
            signed_spaces(each.luck_of_draws),
            signed_spaces(each.luck_of_flips),
            signed_spaces(each.luck_of_legends),
        ]
        text.append("".join(f"{figure:>9}" for figure in figures) + "\n")
    return text


def mistakes_of(seats: Sequence[SeatAnalysis]) -> list[JudgedChoice]:
    """List the largest mistakes of all, driver by driver."""
    return [mistake for seat in seats for mistake in seat.mistakes]


def mistake_text(labels: RaceLabels, mistake: JudgedChoice) -> str:
    """Say a mistake, without its full stop."""
    told = better_text(mistake.taken_words, mistake.best_words, mistake.lost)
    when = f"round {mistake.round}" if mistake.round else "before the race"
    return f"{labels.names[mistake.seat]}, {when}: {told}"


def seat_sentence(seat: SeatAnalysis, name: str) -> str:
    """Say a driver's figures in one sentence."""
    return (
        f"{name}: accuracy {seat.accuracy:.0f}, choices lost {seat.lost:.1f} spaces in {seat.turns} turns, "
        f"luck {luck_text(seat)}."
    )


def chances_sentences(analysis: Analysis, names: Sequence[str]) -> list[str]:
    """Say the chances of winning: at the start, and after every round in which somebody else led."""
    told = []
    leader = None
    for each in analysis.rounds:
        best = max(range(len(names)), key=each.chances.__getitem__)
        if best != leader and each.chances[best]:
            leader = best
            when = f"After round {each.round}" if each.round else "At the start"
            told.append(f"{when} {names[best]} had the best chance of winning: {each.chances[best]:.0%}.")
    return told
