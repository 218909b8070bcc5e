"""The entry point of the engine: begin a race, take one step, preview one step (CORE-11)."""

from __future__ import annotations

from heat_core.decisions import verify
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.normal_form import normalised
from heat_core.race.state import Race
from heat_core.rules import phases
from heat_core.rules.recorder import Recorder
from heat_core.rules.start import start_race

__all__ = ["abandon", "advance", "decide", "start_race", "step"]


def step(race: Race, seat: int, command: c.Command, *, by_clock: bool = False) -> list[e.Event]:
    """Take a seat's command and run on until a decision is open or the race has ended.

    Args:
        race: Changed in place, event by event.
        seat: Who says it.
        command: Answers the seat's open decision; or `GiveUp`.
        by_clock: It is noted that the seat's time was over.

    Returns:
        The events in order, the seat's choice first.

    Raises:
        Refused: The rules do not allow it; the race is untouched.
    """
    command = normalised(command)
    return _run_on(race, seat, verify(race, seat, command), command, by_clock)


def advance(race: Race, seat: int, command: c.Command, *, by_clock: bool = False) -> list[e.Event]:
    """Do what `step` does with a command that was taken from the seat's own open choice.

    It is not checked again: only for commands of this package's own bots, defaults and samples.
    """
    return _run_on(race, seat, race.open[seat].id, normalised(command), by_clock)


def _run_on(race: Race, seat: int, decision: int | None, command: c.Command, by_clock: bool) -> list[e.Event]:
    """Record a choice that stands, and decide event after event until somebody must choose again."""
    recorder = Recorder(race)
    recorder.record(e.ChoiceMade(seat, decision, command, by_clock))
    phases.answered(recorder, seat, command)
    return recorder.close()


def decide(race: Race, seat: int, command: c.Command) -> tuple[Race, list[e.Event]]:
    """Do what `step` does, on a copy.

    Returns:
        The changed copy and the events.
    """
    after = race.copy()
    return after, step(after, seat, command)


def abandon(race: Race) -> list[e.Event]:
    """End a running race without a result for anybody to win (RACE-9)."""
    recorder = Recorder(race)
    phases.abandon(recorder)
    return recorder.close()
