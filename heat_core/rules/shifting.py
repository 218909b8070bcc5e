"""Phase 1: which gears are within reach, and what each costs. RULES, phase 1 (CORE-5)."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.cards import HEAT
from heat_core.events import Part
from heat_core.race import Race, Seat

GEARS = range(1, 5)


class GearOption(NamedTuple):
    """A gear and the Heat that shifting to it costs."""

    gear: int
    heat: int


def shift_bill(before: int, gear: int, *, is_flooded: bool) -> tuple[Part, ...]:
    """Itemise what a shift costs; nothing for one step or none.

    Args:
        before: The gear now.
        gear: The gear to shift to, at most two steps away.
        is_flooded: Whether the car stands in a flooded space.
    """
    steps = abs(gear - before)
    parts: tuple[Part, ...] = (Part("two steps", 1),) if steps > 1 else ()
    if is_flooded and gear < before:
        parts += (Part("flooded", 1),)
    return parts


def shift_heat(before: int, gear: int, *, is_flooded: bool) -> int:
    """Add up `shift_bill`."""
    return (abs(gear - before) > 1) + (is_flooded and gear < before)


def gear_options(race: Race, seat: Seat) -> tuple[tuple[GearOption, ...], tuple[int, ...]]:
    """List the gears that the seat may shift to.

    Returns:
        The options in order, and the gears that the rules withhold because the hand cannot fill them.
    """
    is_flooded = bool(race.track.is_flooded[race.track.space(seat.progress)])
    gear = seat.gear
    options = []
    for other in GEARS[max(gear - 3, 0) : gear + 2]:
        heat = shift_heat(gear, other, is_flooded=is_flooded)
        if heat <= seat.engine:
            options.append(GearOption(other, heat))
    if race.rules.unfillable_gears == "withheld":
        playable = len(seat.hand) - seat.hand.count(HEAT)
        fillable = [option for option in options if option.gear <= playable]
        if fillable:
            withheld = tuple(option.gear for option in options if option.gear > playable)
            return tuple(fillable), withheld
    return tuple(options), ()
