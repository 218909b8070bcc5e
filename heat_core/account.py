"""What happened in a race while somebody was away, in one to three sentences. SPEC NET-9."""

from __future__ import annotations

from collections.abc import Sequence

from heat_core import events as e
from heat_core.setup import CarSetup
from heat_core.view import RaceView

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def account(
    events: Sequence[e.Event], view: RaceView, cars: Sequence[CarSetup], seat: int | None
) -> tuple[str, ...]:
    """Tell somebody who comes back what they have missed.

    Args:
        events: Those that they have not seen, as they may see them.
        view: How things stand after them.
        cars: Of the set-up, by number.
        seat: Who comes back; None: a spectator.

    Returns:
        One to three sentences; none where nothing has happened that one would tell.
    """
    sentences = [_of_the_race(events, view)]
    if seat is not None:
        sentences.append(_of_the_seat(events, view, seat))
    sentences.append(_of_the_others(events, view, cars, seat))
    return tuple(sentence for sentence in sentences if sentence)


def _of_the_race(events: Sequence[e.Event], view: RaceView) -> str:
    rounds = sum(isinstance(event, e.RoundStarted) for event in events)
    if view.status == "ended":
        return "The race has ended meanwhile."
    if not rounds:
        return ""
    return f"{_count(rounds, 'round')} went by: it is round {view.round} now."


def _of_the_seat(events: Sequence[e.Event], view: RaceView, seat: int) -> str:
    moves = [event for event in events if isinstance(event, e.CarMoved) and event.car == seat]
    spins = [event for event in events if isinstance(event, e.SpunOut) and event.seat == seat]
    paid = sum(event.amount for event in events if isinstance(event, e.HeatPaid) and event.seat == seat)
    if not moves:
        return ""
    spaces = sum(move.end - move.start for move in moves) - sum(spin.start - spin.end for spin in spins)
    parts = [f"drove {_count(spaces, 'space')}" if spaces > 0 else "came no further"]
    if paid:
        parts.append(f"paid {paid} Heat")
    if spins:
        parts.append("spun out" if len(spins) == 1 else f"spun out {len(spins)} times")
    return f"Your car {_listed([*parts, f'lies {_ORDINALS[view.ranking.index(seat)]}'])}."


def _of_the_others(
    events: Sequence[e.Event], view: RaceView, cars: Sequence[CarSetup], seat: int | None
) -> str:
    finished = [event.car for event in events if isinstance(event, e.CarFinished) and event.car != seat]
    spun = [event.seat for event in events if isinstance(event, e.SpunOut) and event.seat != seat]
    if finished:
        return f"{_listed([cars[car].name for car in dict.fromkeys(finished)])} crossed the finish line."
    said = []
    if spun:
        said.append(f"{_listed([cars[car].name for car in dict.fromkeys(spun)])} spun out")
    if view.ranking and view.ranking[0] != seat and any(isinstance(event, e.CarMoved) for event in events):
        said.append(f"{cars[view.ranking[0]].name} leads")
    return f"{_listed(said)}." if said else ""


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
