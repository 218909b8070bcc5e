"""The result of a race in words: who came where, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_core.record.figures import Gap, RaceFigures, gap_between
from heat_core.text import counted, ordinal
from heat_core.view.race_view import RaceView
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import GOLD, INK, ON_RED

_REASONS: Final = {
    "gave_up": "The race is over: everyone has given up.",
    "spun_out": "The race is over: everyone is out after spinning out.",
    "gave_up_or_spun_out": "The race is over: everyone has given up or is out.",
    "abandoned": "The race was abandoned.",
}


def result_heading(labels: RaceLabels, view: RaceView) -> Text:
    """Say what was raced: the circuit, laps, rounds, cars."""
    laps, rounds = counted(labels.setup.laps, "lap"), counted(view.round, "round")
    cars = counted(len(labels.setup.cars), "car")
    return Text.assemble((f" {labels.setup.track.name} ", ON_RED), f" Results · {laps} · {rounds} · {cars}")


def result_text(labels: RaceLabels, view: RaceView, told: Sequence[str], own: Sequence[int]) -> Text:
    """Say where oneself came, then who else won, or why the race ended without a winner.

    Args:
        told: As of `own_result`.
        own: The seats played here.
    """
    winner = view.standings[0].car
    if view.end is not None and view.end != "finished":
        end = _REASONS[view.end]
    else:
        end = "" if winner in own else f"{labels.names[winner]} wins."
    text = Text(" ".join(told), Style(color=GOLD))
    return text.append(" " if told and end else "").append(end, Style(color=INK))


def own_result(
    labels: RaceLabels, view: RaceView, figures: Sequence[RaceFigures], own: Sequence[int]
) -> list[str]:
    """Say where those came who are played here, and by how much; nothing where nobody has a place.

    Args:
        own: Their seats; a single one is called you.
    """
    return [
        _result(labels, view, figures, standing.car, is_you=len(own) == 1)
        for standing in view.standings
        if standing.car in own
    ]


def _result(
    labels: RaceLabels, view: RaceView, figures: Sequence[RaceFigures], car: int, *, is_you: bool
) -> str:
    order = [standing.car for standing in view.standings]
    status, place = view.cars[car].status, order.index(car) + 1
    who, verb = ("You", "are") if is_you else (labels.names[car], "is")
    text = f"{who} {verb} {ordinal(place)} of {len(order)}"
    if status in ("gave_up", "spun_out"):
        return f"{text}: {'gave up' if status == 'gave_up' else 'out after spinning out'}."
    if len(order) < 2 or not all(figures[other].progress for other in order):
        return f"{text}."
    other = order[1] if place == 1 else order[0]
    gap, name = gap_between(figures[car], figures[other]), labels.names[other]
    if gap == (0, 0):
        # The one on the race line is ahead of the other on the same space.
        winner = "you win" if place == 1 and is_you else f"{labels.names[order[0]]} wins"
        return f"{text}, level with {name}: {winner} by the race line."
    return f"{text}, {gap_words(gap)} {name}."


def gap_words(gap: Gap) -> str:
    """Say a gap before the name of the other: `3 spaces ahead of`, `1 round behind`; neither may be level."""
    size = gap.rounds or gap.spaces
    return f"{counted(abs(size), 'round' if gap.rounds else 'space')} {'ahead of' if size > 0 else 'behind'}"


def gap_column(labels: RaceLabels, view: RaceView, figures: Sequence[RaceFigures], car: int) -> str:
    """Say the gap to the winner in a few signs: `won`, `same`, `-12`, `1 round`."""
    first = view.standings[0].car
    if view.cars[car].status == "gave_up" or not all(figures[other].progress for other in (first, car)):
        return ""
    if car == first:
        return "won" if view.end == "finished" else ""
    gap = gap_between(figures[car], figures[first])
    if gap.rounds:
        return counted(-gap.rounds, "round")
    return f"{gap.spaces:+}" if gap.spaces else "same"
