"""The results of a race as text: places, figures, and the positions in each round."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from heat_core.race import events as e
from heat_core.record.figures import RaceFigures
from heat_core.rng import seed_commitment
from heat_core.sentences.events import seed_text
from heat_core.text import ordinal
from heat_core.view.race_view import RaceView
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import CAR_STYLES, GOLD, RED
from heat_tui.words.result_words import gap_column

_NAME_CELLS = 16
_DIM = Style(dim=True)


def result_table(
    labels: RaceLabels, view: RaceView, figures: Sequence[RaceFigures], own: Sequence[int]
) -> Text:
    """Make the table: a line a car, best first.

    Args:
        figures: Of each car.
        own: The seats played here.
    """
    blank = f"{'':<{_NAME_CELLS + 9}}"
    first = f"{blank} {'':>8} {'':>7} {'top':>5} {'Heat':>4} {'spin-':>5} {'slip-':>7} {'corners':>7}"
    second = (
        f"{blank} {'where':>8} {'gap':>7} {'speed':>5} {'paid':>4} {'outs':>5} {'streams':>7} {'pressed':>7}"
    )
    text = Text()
    text.append(f"{first}\n{second}\n", _DIM)
    for standing in view.standings:
        told, number = figures[standing.car], standing.car
        is_own = number in own
        text.append(
            f"{ordinal(standing.place):>5}  ", Style(bold=True, color=GOLD if standing.place == 1 else None)
        )
        text.append(labels.letters[number], CAR_STYLES[labels.setup.cars[number].colour])
        name = set_cell_size(labels.names[number], _NAME_CELLS).rstrip()
        text.append(" ")
        text.append(name, Style(bold=is_own or standing.place == 1, underline=is_own))
        text.append(" " * (_NAME_CELLS - cell_len(name)))
        gap = gap_column(labels, view, figures, number)
        row = f" {where_text(labels, view, told, number):>8} {gap:>7} {told.top_speed:>5}"
        if not view.cars[number].is_legend:
            row += f" {told.heat_paid:>4} {told.spin_outs:>5} {told.slipstreams:>7} {told.corners_pressed:>7}"
        text.append(row + "\n")
    return text


def where_text(labels: RaceLabels, view: RaceView, figures: RaceFigures, car: int) -> str:
    """Say where a car ended: how far beyond the finish line, or lap and space."""
    if view.cars[car].status == "gave_up":
        return "gave up"
    progress = final_progress(view, figures, car)
    beyond = progress - labels.track.finish_line(labels.setup.laps)
    if beyond > 0:
        return f"fin +{beyond}"
    return f"{labels.track.lap(progress)}/{labels.track.space(progress)}"


def final_progress(view: RaceView, figures: RaceFigures, car: int) -> int:
    """Say how far a car came."""
    return figures.progress[-1] if figures.progress else view.cars[car].progress


def places_by_round(view: RaceView, figures: Sequence[RaceFigures]) -> list[list[int]]:
    """Order the cars after each round, the leader first; after the last as they are ranked.

    In a race that is not over, its round under way counts as one.
    """
    rounds = max(len(told.progress) for told in figures)
    final = [standing.car for standing in view.standings]
    if not final:
        rounds += 1
        final = [*view.ranking]
    orders = []
    for number in range(rounds):
        # Where two stood in one space, the record of places says no more: the better at the end goes first.
        orders.append(sorted(final, key=lambda car: -_progress(figures[car], number)))
    return [*orders[:-1], final]


def _progress(figures: RaceFigures, number: int) -> int:
    return figures.progress[number] if number < len(figures.progress) else 0


def seed_text_lines(events: Sequence[e.Event]) -> Text:
    """Tell what all cards were dealt from, and whether that is what was promised at the start (CORE-16).

    Args:
        events: Of the race; nothing is shown if its end has no seed, and no promise without its start.
    """
    seeds = [event.seed for event in events if isinstance(event, e.RaceEnded)]
    if not seeds or seeds[-1] is None:
        return Text()
    promises = [event.seed_commitment for event in events if isinstance(event, e.RaceSetUp)]
    return promise_text(seeds[-1], promises[0] if promises else None)


def promise_text(seed: str, commitment: str | None) -> Text:
    """Tell a seed, and whether it is the one whose hash was shown at the start.

    Args:
        commitment: That hash; None: it has not been seen.
    """
    text = Text()
    text.append(f"\nAll cards were dealt from the seed {seed_text(seed)}\n", _DIM)
    if commitment == seed_commitment(seed):
        text.append(f"Its hash is the one shown at the start: {commitment}\n", _DIM)
    elif commitment is not None:
        text.append(
            "This seed does not match the hash shown at the start: do not trust the result\n",
            Style(color=RED),
        )
    return text


_ROUND_CELLS = (4, 3, 2)
"""Cells for a round in the chart, the widest that fits first."""


def lap_chart(
    labels: RaceLabels,
    view: RaceView,
    figures: Sequence[RaceFigures],
    width: int,
    *,
    marked: int | None = None,
) -> Text:
    """Draw who was where after each round, as far as they fit a width in cells: the newest.

    Args:
        marked: A round that is marked, and fits in any case; None: none is.
    """
    orders = places_by_round(view, figures)
    cells = next((cells for cells in _ROUND_CELLS if len(orders) * cells <= width - 8), _ROUND_CELLS[-1])
    fitting = max(1, (width - 8) // cells)
    begin = max(0, len(orders) - fitting)
    first = view.round - len(orders) + 1
    if marked is not None:
        begin = max(0, min(begin, marked - first))
    shown = orders[begin : begin + fitting]
    first += begin
    numbers = "".join(
        f"{number if cells > 2 or number % 5 == 0 or number == first else '':<{cells}}"
        for number in range(first, first + len(shown))
    )
    text = Text()
    text.append(f"{'round':>6} {numbers}\n", _DIM)
    for place in range(len(shown[0])):
        text.append(f"{place + 1:>5}  ", _DIM)
        for order in shown:
            car = order[place]
            text.append(labels.letters[car], CAR_STYLES[labels.setup.cars[car].colour])
            text.append(" " * (cells - 1))
        text.append("\n")
    if marked is not None and first <= marked < first + len(shown):
        text.append(" " * (7 + cells * (marked - first)) + "^\n")
    return text
