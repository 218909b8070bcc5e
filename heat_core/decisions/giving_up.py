"""The one command that answers no decision. docs/rules.md: Finish and standings (RACE-9)."""

from __future__ import annotations

from heat_core.race.cars import Seat
from heat_core.race.commands import GiveUp
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused


def may_give_up(race: Race, seat_number: int) -> bool:
    """Tell whether a seat may leave the race now."""
    if race.end is not None or race.seat(seat_number).status != "racing":
        return False
    return race.rules.giving_up == "any_time" or any(car.status in ("finished", "left") for car in race.cars)


def verify_giving_up(race: Race, seat: Seat, command: GiveUp) -> None:
    """See that a seat may leave the race now.

    Raises:
        Refused: It may not.
    """
    if seat.status != "racing":
        raise Refused(RefusalCode.NOT_RACING, "Your race is over already.")
    if not may_give_up(race, seat.number):
        raise Refused(
            RefusalCode.MAY_NOT_GIVE_UP, "With these rules you may give up only after a car has finished."
        )
