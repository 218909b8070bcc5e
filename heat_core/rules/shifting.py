"""Phase 1: which gears are within reach, and what each costs. docs/rules.md: Shift gears (CORE-5)."""

from __future__ import annotations

from typing import Final

from heat_core.cards import HEAT
from heat_core.race.cars import Seat
from heat_core.race.events import Part
from heat_core.race.state import Race
from heat_core.rules.offers import GearOption

GEARS: Final = range(1, 5)


def _bill(before: int, gear: int, *, is_flooded: bool) -> tuple[Part, ...]:
    steps = abs(gear - before)
    parts: tuple[Part, ...] = (Part("two steps", 1),) if steps > 1 else ()
    if is_flooded and gear < before:
        parts += (Part("flooded", 1),)
    return parts


_BILLS: Final = {
    (before, gear, is_flooded): _bill(before, gear, is_flooded=is_flooded)
    for before in GEARS
    for gear in GEARS
    for is_flooded in (False, True)
}


def shift_bill(before: int, gear: int, *, is_flooded: bool) -> tuple[Part, ...]:
    """Itemise what a shift costs; nothing for one step or none.

    Args:
        before: The gear now.
        gear: The gear to shift to, at most two steps away.
        is_flooded: Whether the car is in a flooded space.
    """
    return _BILLS[before, gear, is_flooded]


def _reach(gear: int, *, is_flooded: bool) -> tuple[GearOption, ...]:
    near = GEARS[max(gear - 3, 0) : gear + 2]
    bills = ((other, shift_bill(gear, other, is_flooded=is_flooded)) for other in near)
    return tuple(GearOption(other, sum(part.amount for part in bill)) for other, bill in bills)


_DEAREST_SHIFT: Final = 2

_REACH: Final = {
    (gear, is_flooded, heat): tuple(
        option for option in _reach(gear, is_flooded=is_flooded) if option.heat <= heat
    )
    for gear in GEARS
    for is_flooded in (False, True)
    for heat in range(_DEAREST_SHIFT + 1)
}
"""By the gear now, whether the space is flooded, and Heat in the engine, as far as a shift can need it."""


def gear_options(race: Race, seat: Seat) -> tuple[tuple[GearOption, ...], tuple[int, ...]]:
    """List the gears that the seat may shift to.

    Returns:
        The options in order, and the gears that the rules withhold because the hand cannot fill them.
    """
    track = race.track
    is_flooded = track.is_flooded[(seat.progress - 1) % track.spaces + 1]
    options = _REACH[seat.gear, is_flooded, min(seat.engine, _DEAREST_SHIFT)]
    if race.rules.unfillable_gears == "withheld":
        playable = len(seat.hand) - seat.hand.count(HEAT)
        if options[0].gear <= playable < options[-1].gear:
            fillable = tuple([option for option in options if option.gear <= playable])
            withheld = tuple([option.gear for option in options if option.gear > playable])
            return fillable, withheld
    return options, ()
