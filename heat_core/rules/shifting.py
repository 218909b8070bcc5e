"""Phase 1: which gears are within reach, and what each costs. RULES, phase 1 (CORE-5)."""

from __future__ import annotations

from typing import Final, NamedTuple

from heat_core.cards import HEAT
from heat_core.events import Part
from heat_core.race import Race, Seat

GEARS: Final = range(1, 5)


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


def _reach(gear: int, *, is_flooded: bool) -> tuple[GearOption, ...]:
    near = GEARS[max(gear - 3, 0) : gear + 2]
    bills = ((other, shift_bill(gear, other, is_flooded=is_flooded)) for other in near)
    return tuple(GearOption(other, sum(part.amount for part in bill)) for other, bill in bills)


_REACH: Final = {
    is_flooded: {gear: _reach(gear, is_flooded=is_flooded) for gear in GEARS} for is_flooded in (False, True)
}
_DEAREST_SHIFT: Final = 2


def gear_options(race: Race, seat: Seat) -> tuple[tuple[GearOption, ...], tuple[int, ...]]:
    """List the gears that the seat may shift to.

    Returns:
        The options in order, and the gears that the rules withhold because the hand cannot fill them.
    """
    is_flooded = bool(race.track.is_flooded[race.track.space(seat.progress)])
    options = _REACH[is_flooded][seat.gear]
    if seat.engine < _DEAREST_SHIFT:
        options = tuple(option for option in options if option.heat <= seat.engine)
    if race.rules.unfillable_gears == "withheld":
        playable = len(seat.hand) - seat.hand.count(HEAT)
        fillable = [option for option in options if option.gear <= playable]
        if fillable:
            withheld = tuple(option.gear for option in options if option.gear > playable)
            return tuple(fillable), withheld
    return options, ()
