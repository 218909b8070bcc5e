"""Moments worth a picture over the map: the start, the lead, the last lap and round, a spin-out, the finish.

They are shown beside what is asked and never in its way; what a picture says stands in the log as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.setup import Colour, RaceSetup
from heat_core.text import counted
from heat_core.view.race_view import RaceView
from heat_tui.race.presenter import RaceLabels

StampLook: TypeAlias = Literal["gold", "green", "red"]

LIGHTS: Final = 5
_CARS_ON_THE_GRID: Final = 4
_LIGHT_SECONDS: Final = 0.2
_HOLD_SECONDS: Final = 0.5
_GO_STEPS: Final = (0.3, 1.0)
_GO_SECONDS: Final = 0.4
_STAMP_SECONDS: Final = 0.8
_FLAG_STEPS: Final = 5
_FLAG_SECONDS: Final = 0.35
_FOLD_SECONDS: Final = 0.4
_LEAST_FOLD_SECONDS: Final = 0.34
"""A fold of the flag stays so long at any pace: never more than three changes a second."""
_OWN_FOLDS: Final = 3
_FOLDS: Final = 2

SPIN_OUT_SECONDS: Final = 1.3
"""How long the bill of a spin-out stands, behind the car's way back."""
FINISH_SECONDS: Final = _FLAG_SECONDS + _FOLDS * _FOLD_SECONDS
"""How long the flag waves for a car."""


class Lights(NamedTuple):
    """The lights of the start, above the foremost cars.

    Attributes:
        lit: How many are lit.
        cars: The colours of the foremost cars, pole first.
        gone: How far the cars have come since the lights went out, in [0.0, 1.0]; 0.0: they stand.
    """

    lit: int
    cars: tuple[Colour, ...]
    gone: float = 0.0


class Flag(NamedTuple):
    """The chequered flag, and on it who has finished where.

    Attributes:
        share: How far it has come in, in (0.0, 1.0].
        fold: Which of its folds is shown.
        title: The place, such as P2; "" while it comes in.
        lines: Beside the place.
        car: Colour of the car that is shown.
        is_own: Whether it fills the box; else it is a narrow one.
    """

    share: float
    fold: int
    title: str
    lines: tuple[str, ...]
    car: Colour
    is_own: bool


class Stamp(NamedTuple):
    """A few words in large letters.

    Attributes:
        text: In capitals.
        look: How it is painted.
        note: A line below; may be empty.
    """

    text: str
    look: StampLook
    note: str = ""


Picture: TypeAlias = Lights | Flag | Stamp


class Frame(NamedTuple):
    """One picture of a moment.

    Attributes:
        picture: What is shown.
        seconds: How long it is shown at the usual pace.
    """

    picture: Picture
    seconds: float

    def seconds_at(self, pace: float) -> float:
        """Say how long it is shown at a pace; folds of a flag stay at any pace until the next may come."""
        is_fold = isinstance(self.picture, Flag) and bool(self.picture.title)
        return max(self.seconds * pace, _LEAST_FOLD_SECONDS if is_fold else 0.0)


class Moment(NamedTuple):
    """What is shown, and what stands in the log instead where nothing moves.

    Attributes:
        frames: One after the other.
        line: "" where the log has a line of the event itself.
    """

    frames: tuple[Frame, ...]
    line: str = ""

    @property
    def seconds(self) -> float:
        """How long all of it takes at the usual pace."""
        return sum(frame.seconds for frame in self.frames)


def start_lights(cars: Sequence[Colour]) -> Moment:
    """Give the lights of the start: five go on one by one, all go out.

    Args:
        cars: The colours of all cars, pole first.
    """
    foremost = tuple(cars[:_CARS_ON_THE_GRID])
    frames = [Frame(Lights(lit, foremost), _LIGHT_SECONDS) for lit in range(1, LIGHTS)]
    frames.append(Frame(Lights(LIGHTS, foremost), _LIGHT_SECONDS + _HOLD_SECONDS))
    frames += [Frame(Lights(0, foremost, gone), _GO_SECONDS / len(_GO_STEPS)) for gone in _GO_STEPS]
    return Moment(tuple(frames), "The lights go out.")


def moments_between(
    before: RaceView, after: RaceView, events: Sequence[e.Event], seat: int | None, setup: RaceSetup
) -> tuple[Moment, ...]:
    """Find what deserves a picture between two views.

    Args:
        before: What was shown last.
        after: What is shown now.
        events: What happened between them.
        seat: Whose keyboard it is; None: a watcher's, who sees only what concerns all.
        setup: Of the race.
    """
    moments = []
    starts = any(isinstance(event, e.RoundStarted) and event.round == 1 for event in events)
    if starts and after.phase is Phase.SHIFT_GEARS and after.round == 1:
        moments.append(start_lights([setup.cars[number].colour for number in after.ranking]))
    if (last_round := _last_round(before, after, events, setup)) is not None:
        moments.append(last_round)
    if seat is None or after.status == "set_up" or before.status == "set_up":
        return tuple(moments)
    place, place_before = after.ranking.index(seat) + 1, before.ranking.index(seat) + 1
    if any(isinstance(event, e.CarFinished) and event.car == seat for event in events):
        return (*moments, _own_finish(after, seat, place, setup))
    if 1 <= before.cars[seat].lap < setup.laps == after.cars[seat].lap:
        moments.append(_stamp("LAST LAP", "Your last lap begins."))
    has_driven = any(isinstance(event, e.CarMoved) and event.car == seat for event in events)
    if has_driven and place < place_before:
        text = "YOU LEAD" if place == 1 else f"P{place_before} > P{place}"
        line = "You take the lead." if place == 1 else f"You move up from P{place_before} to P{place}."
        moments.append(_stamp(text, line))
    return tuple(moments)


def moment_of(event: e.Event, ranking: Sequence[int], labels: RaceLabels, own: int | None) -> Moment | None:
    """Give the moment of an event that is shown as it happens: a spin-out, a car that finishes.

    Args:
        ranking: The cars as they stand now, the leader first.
        labels: Who races.
        own: Number of the own car; None for a watcher.
    """
    match event:
        case e.SpunOut():
            who = "" if event.seat == own else f"{labels.names[event.seat]}: "
            space = labels.track.space(event.end)
            note = f"{who}back to space {space}, 1st gear, {event.stress} Stress"
            return Moment((Frame(Stamp("SPIN OUT", "red", note), SPIN_OUT_SECONDS),))
        case e.CarFinished():
            place = f"P{ranking.index(event.car) + 1}"
            lines = (labels.names[event.car], "crosses the line")
            return _flag(place, lines, labels.setup.cars[event.car].colour, is_own=False)
        case _:
            return None


def _last_round(
    before: RaceView, after: RaceView, events: Sequence[e.Event], setup: RaceSetup
) -> Moment | None:
    """Announce the last round, where the first car to finish makes it that."""
    finishers = [event.car for event in events if isinstance(event, e.CarFinished)]
    was_finished = any(car.status in ("finished", "left") for car in before.cars)
    if not finishers or was_finished or setup.rules.race_end != "first_finisher":
        return None
    line = f"{setup.cars[finishers[0]].name} has crossed the finish line: this is the last round."
    return _stamp("LAST ROUND", line) if after.status != "ended" else Moment((), line)


def _stamp(text: str, line: str = "") -> Moment:
    return Moment((Frame(Stamp(text, "gold"), _STAMP_SECONDS),), line)


def _flag(place: str, lines: tuple[str, ...], car: Colour, *, is_own: bool) -> Moment:
    steps = range(1, _FLAG_STEPS + 1)
    coming = [Flag(step / _FLAG_STEPS, 0, "", (), car, is_own) for step in steps]
    folds = range(_OWN_FOLDS if is_own else _FOLDS)
    waving = [Flag(1.0, fold, place, lines, car, is_own) for fold in folds]
    return Moment(
        (
            *(Frame(flag, _FLAG_SECONDS / _FLAG_STEPS) for flag in coming),
            *(Frame(flag, _FOLD_SECONDS) for flag in waving),
        )
    )


def _own_finish(view: RaceView, seat: int, place: int, setup: RaceSetup) -> Moment:
    """Show the flag, then the place with the margin to the car before, or of the winner to the next.

    While others race on, the place is the one of now.
    """
    other = view.ranking[place - 2] if place > 1 else view.ranking[1]
    spaces = abs(view.cars[other].progress - view.cars[seat].progress)
    side = "behind" if place > 1 else "ahead of"
    lines = [f"of {len(view.ranking)}" + ("" if view.status == "ended" else " so far")]
    if view.cars[other].is_on_track:
        lines += [f"{counted(spaces, 'space')} {side}", setup.cars[other].name]
    return _flag(f"P{place}", tuple(lines), setup.cars[seat].colour, is_own=True)
