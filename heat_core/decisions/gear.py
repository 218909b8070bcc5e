"""Phase 1: the gear of this round. docs/rules.md: Shift gears (CORE-5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heat_core.decisions.base import ChoiceKind, always_asked
from heat_core.decisions.choices import GearChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import ShiftGear
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.shifting import GEARS, gear_options


def _make(race: Race, seat: Seat) -> GearChoice:
    options, withheld = gear_options(race, seat)
    return GearChoice(options, withheld)


def _verify(race: Race, seat: Seat, command: ShiftGear) -> None:
    gear = command.gear
    options, withheld = gear_options(race, seat)
    for option in options:
        if option.gear == gear:
            return
    allowed = [option.gear for option in options]
    if gear in withheld:
        raise Refused(RefusalCode.GEAR_CANNOT_BE_FILLED, f"Your hand cannot fill gear {gear}.", allowed)
    if gear not in GEARS:
        raise Refused(RefusalCode.GEAR_OUT_OF_REACH, f"There is no gear {gear}.", allowed)
    if abs(gear - seat.gear) > 2:
        raise Refused(
            RefusalCode.GEAR_OUT_OF_REACH,
            f"Gear {gear} is more than two steps from gear {seat.gear}.",
            allowed,
        )
    raise Refused(
        RefusalCode.NOT_ENOUGH_HEAT,
        f"Shifting from {seat.gear} to {gear} costs Heat, and the engine has {seat.engine}.",
        allowed,
    )


def _list_commands(choice: GearChoice) -> Iterator[ShiftGear]:
    return (ShiftGear(option.gear) for option in choice.options)


def _sample(choice: GearChoice, stream: Stream) -> ShiftGear:
    return ShiftGear(stream.choose(choice.options).gear)


GEAR: Final = ChoiceKind("gear", GearChoice, _make, _verify, _list_commands, _sample, always_asked)
