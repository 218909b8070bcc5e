"""The entry point of the engine: begin a race, take one step, preview one step (CORE-11)."""

from __future__ import annotations

from heat_core.decisions import verify
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.state import Race
from heat_core.rules import phases
from heat_core.rules.recorder import Recorder
from heat_core.rules.start import start_race

__all__ = ["abandon", "decide", "start_race", "step"]


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
    command = c.normalised(command)
    decision = verify(race, seat, command)
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
