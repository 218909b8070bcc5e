"""What happened in a race while somebody was away, in one to three sentences (NET-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from heat_core.race import events as e
from heat_core.race.setup import CarSetup
from heat_core.text import listed
from heat_core.view.race_view import RaceView

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def recap(
    events: Sequence[e.Event], view: RaceView, cars: Sequence[CarSetup], seat: int | None
) -> tuple[str, ...]:
    """Tell somebody who comes back what they have missed.

    Args:
        events: Those that they have not seen, as they may see them.
        view: How things stand after them.
        cars: Of the set-up, by number.
        seat: Who comes back; None: a spectator.

    Returns:
        One to three sentences: of the race, of the own car, of the others; none where nothing has happened
        that one would tell.
    """
    if view.status == "ended":
        ended = any(isinstance(event, e.RaceEnded) for event in events)
        return (_of_the_end(view, cars, seat),) if ended else ()
    started = [event.round for event in events if isinstance(event, e.RoundStarted)]
    has_begun = 1 in started
    rounds = len(started) - has_begun  # those that went by: no other ended when the first began
    sentences = [_of_the_rounds(rounds, view, has_begun=has_begun)]
    if seat is not None:
        sentences.append(_of_the_seat(events, view, seat, has_round_gone=rounds > 0))
    sentences.append(_of_the_others(events, view, cars, seat))
    return tuple(sentence for sentence in sentences if sentence)


def _of_the_end(view: RaceView, cars: Sequence[CarSetup], seat: int | None) -> str:
    winner = next((one.car for one in view.standings if one.status == "finished"), None)
    if winner is None:
        return "The race ended meanwhile, and nobody won it."
    if winner == seat:
        return "The race ended meanwhile, and you won it!"
    own = next((one for one in view.standings if one.car == seat), None)
    told = f"The race ended meanwhile: {cars[winner].name} won"
    if own is None:
        return f"{told}."
    if own.status in ("gave_up", "spun_out"):
        return f"{told}, and your car is out."
    return f"{told}, and you came {_ORDINALS[own.place - 1]}."


def _of_the_rounds(rounds: int, view: RaceView, *, has_begun: bool) -> str:
    if not rounds:
        return "The race has begun." if has_begun else ""
    went_by = "a round" if rounds == 1 else f"{_number(rounds)} rounds"
    went_by = f"The race has begun, and {went_by}" if has_begun else went_by.capitalize()
    last = " and the last" if view.is_last_round else ""
    return f"{went_by} went by; it is round {view.round} now{last}."


def _of_the_seat(events: Sequence[e.Event], view: RaceView, seat: int, *, has_round_gone: bool) -> str:
    place = _ORDINALS[view.ranking.index(seat)]
    for event in events:
        match event:
            case e.CarFinished(car=car) if car == seat:
                return f"Your car crossed the finish line in {place} place."
            case e.CarOut(car=car) if car == seat:
                return "Your car is out of the race."
            case _:
                pass
    if not view.cars[seat].is_on_track:
        return ""
    moves = [event for event in events if isinstance(event, e.CarMoved) and event.car == seat]
    spins = [event for event in events if isinstance(event, e.SpunOut) and event.seat == seat]
    paid = sum(event.amount for event in events if isinstance(event, e.HeatPaid) and event.seat == seat)
    if not moves and not spins and not has_round_gone:
        return ""
    spaces = sum(move.end - move.start for move in moves) - sum(spin.start - spin.end for spin in spins)
    parts = [f"came {_count(spaces, 'space')} further" if spaces > 0 else "did not move"]
    if paid:
        parts.append(f"paid {_number(paid)} Heat")
    if spins:
        parts.append(_spun(len(spins)))
    parts.append(f"is {place} now")
    return f"Your car {listed(parts, 'and')}."


def _of_the_others(
    events: Sequence[e.Event], view: RaceView, cars: Sequence[CarSetup], seat: int | None
) -> str:
    finished = [event.car for event in events if isinstance(event, e.CarFinished) and event.car != seat]
    out = [event.car for event in events if isinstance(event, e.CarOut) and event.car != seat]
    spins = Counter(event.seat for event in events if isinstance(event, e.SpunOut) and event.seat != seat)
    said = []
    if finished:
        said.append(f"{listed([cars[car].name for car in finished], 'and')} crossed the finish line")
    said += [f"{cars[car].name} {_spun(times)}" for car, times in spins.items() if car not in out]
    if out:
        is_are = "is" if len(out) == 1 else "are"
        said.append(f"{listed([cars[car].name for car in out], 'and')} {is_are} out of the race")
    leader = view.ranking[0]
    has_moved = any(isinstance(event, e.CarMoved) for event in events)
    if has_moved and not finished and leader != seat and view.cars[leader].status == "racing":
        said.append(f"{cars[leader].name} leads")
    return f"{listed(said, 'and')}." if said else ""


def _spun(times: int) -> str:
    return "spun out" if times == 1 else f"spun out {'twice' if times == 2 else f'{_number(times)} times'}"


def _count(number: int, word: str) -> str:
    return f"{_number(number)} {word}" + ("" if number == 1 else "s")


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
