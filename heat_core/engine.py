"""The door of the engine: begin a race, take one step, look one step ahead (CORE-11)."""

from __future__ import annotations

from heat_core import commands as c
from heat_core import events as e
from heat_core.choices import verify
from heat_core.race import Race, Seat
from heat_core.refusal import RefusalCode, Refused
from heat_core.rules import phases
from heat_core.rules.recorder import Recorder
from heat_core.rules.start import start_race

__all__ = ["abandon", "decide", "start_race", "step"]


def step(race: Race, seat: int, command: c.Command) -> list[e.Event]:
    """Take a seat's command and run on until a decision is open or the race has ended.

    Args:
        race: Changed in place, event by event.
        seat: Who says it.
        command: Answers the seat's open decision; or `GiveUp`.

    Returns:
        The events in order, the seat's choice first.

    Raises:
        Refused: The rules do not allow it; the race is untouched.
    """
    if seat not in race.open:
        _require_driver(race, seat)
    driver: Seat = race.cars[seat]  # type: ignore[assignment]  # because only seats are asked
    command = c.normalised(command)
    decision = verify(race, driver, command)
    recorder = Recorder(race)
    recorder.record(e.ChoiceMade(seat, decision, command))
    phases.answered(recorder, driver, command)
    return recorder.close()


def _require_driver(race: Race, seat: int) -> None:
    """See that a seat which is not asked could say something at all."""
    if race.end is not None:
        raise Refused(RefusalCode.RACE_ENDED, "The race is over.")
    if not 0 <= seat < len(race.cars):
        raise Refused(RefusalCode.NOT_A_SEAT, f"There is no car {seat}.")
    if type(race.cars[seat]) is not Seat:
        raise Refused(RefusalCode.NOT_A_SEAT, f"Car {seat} has no driver who could decide.")


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
