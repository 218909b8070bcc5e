"""Who races, as it is said: cars by their names alone, moves in spaces and laps.

Nobody sees where a space is, nor the letters on a map; a bot's level is said where all cars are (`cars`).
"""

from __future__ import annotations

from typing import Final

from heat_core.bot_names import without_level
from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.sentences.events import space_text
from heat_core.text import counted
from heat_tui.race.presenter import RaceLabels

_MOVES: Final[dict[e.MoveReason, str]] = {
    "cards": "",
    "legend": "",
    "adrenaline": "adrenaline, ",
    "boost": "boost, ",
    "direct": "played directly, ",
    "accelerate": "accelerating, ",
    "draft": "drafting, ",
    "unpaid": "again, ",
    "slipstream": "slipstream, ",
}


class SpokenLabels(RaceLabels):
    """The names of a race's cars, and its events in sentences to be heard."""

    def told(self, event: e.Event) -> str | None:
        """Say an event for the log, a move as the race says it."""
        return move_text(event, self) if isinstance(event, e.CarMoved) else super().told(event)


def spoken_labels(setup: RaceSetup) -> SpokenLabels:
    """Name the cars of a race without a map: whoever a Legend card moves is named, too."""
    names = spoken_names(setup)
    return SpokenLabels(names, names, setup)


def spoken_names(setup: RaceSetup) -> tuple[str, ...]:
    """Name the cars, without the levels of bots unless two would then be called the same."""
    full = tuple(car.name for car in setup.cars)
    short = tuple(map(without_level, full))
    return short if len({*map(str.casefold, short)}) == len(full) else full


def move_text(event: e.CarMoved, labels: RaceLabels, *, has_space: bool = True) -> str:
    """Say a move without its full stop: `Legend 2, 13 spaces, over the line to 10, lap 2`.

    Args:
        has_space: Whether it is said where a move within a lap ends, and which space was full.
    """
    name, track = labels.names[event.car], labels.track
    spaces = event.end - event.start
    if not spaces:
        return f"{name} stays on space {space_text(track, event.start)}"
    text = f"{name}, {_MOVES[event.reason]}{counted(spaces, 'space')}"
    finish, end = track.finish_line(labels.setup.laps), space_text(track, event.end)
    if event.start > finish:
        return text  # spaces behind the finish have no number that says anything
    if event.end > finish:
        text += ", over the finish line"
    elif track.lap(event.start) != (lap := track.lap(event.end)):
        text += f", over the line to {end}, lap {lap}"
    elif has_space:
        text += f", to {end}"
    meant = event.start + event.spaces
    if meant != event.end and event.reason != "legend" and has_space:
        text += f"; {space_text(track, meant)} was full"
    return text
