"""The default answers for a seat that does not choose (NET-5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from heat_core.cards import CARD_FLIPS, CARD_SPEEDS, CardName
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.race import commands as c
from heat_core.view.forecast import forecast_slipstream
from heat_core.view.observation import Observation


def default_command(observation: Observation) -> c.Command:
    """Choose for the open decision of a seat, from its observation alone; each kind has its function here.

    Raises:
        ValueError: The seat has nothing to decide.
    """
    choice = observation.choice
    if choice is None:
        raise ValueError(f"seat {observation.seat} has nothing to decide")
    return _DEFAULTS[type(choice)](observation, choice)


def _default_gear(observation: Observation, choice: GearChoice) -> c.ShiftGear:
    """The nearest gear to the present one, lower first."""
    now = observation.own_car.gear
    gears = [option.gear for option in choice.options]
    return c.ShiftGear(min(gears, key=lambda gear: (abs(gear - now), gear)))


def _default_cards(_: Observation, choice: CardsChoice) -> c.PlayCards:
    """The playable cards of least value."""
    return c.PlayCards(tuple(sorted(choice.pool, key=mean_speed)[: choice.count]))


def _default_value(_: Observation, choice: ValueChoice) -> c.ChooseValue:
    return c.ChooseValue(tuple([min(speeds) for speeds in choice.speeds]))


def _default_react(_: Observation, choice: ReactChoice) -> c.UseSymbol | c.EndReact:
    """Cooldown in full, what must be used, and nothing else."""
    for kind in ("cooldown", "heat", "scrap"):
        for number, use in enumerate(choice.symbols):
            if use.symbol.kind == kind and use.most:
                return c.UseSymbol(number, use.most)
    return c.EndReact()


def _default_unpaid(_: Observation, choice: UnpaidChoice) -> c.DropUnpaid:
    return c.DropUnpaid(choice.ways[0])


def _default_slipstream(observation: Observation, choice: SlipstreamChoice) -> c.Slipstream:
    """The longest after which no Heat is owed."""
    for spaces in reversed(choice.spaces):
        if spaces and not forecast_slipstream(observation, spaces).slowest.owed:
            return c.Slipstream(spaces)
    return c.Slipstream(0)


def _default_discard(_: Observation, choice: DiscardChoice) -> c.Discard:
    return c.Discard(())


def _default_pick(_: Observation, choice: PickChoice) -> c.PickUpgrade:
    return c.PickUpgrade(choice.offered[0])


def _default_swap(_: Observation, choice: SwapChoice) -> c.SwapUpgrade:
    return c.SwapUpgrade(None, None)


# By type of choice, which is that of the function's last argument; Any, because a dict cannot say so.
_DEFAULTS: Final[dict[type[Choice], Callable[[Observation, Any], c.Command]]] = {
    GearChoice: _default_gear,
    CardsChoice: _default_cards,
    ValueChoice: _default_value,
    ReactChoice: _default_react,
    UnpaidChoice: _default_unpaid,
    SlipstreamChoice: _default_slipstream,
    DiscardChoice: _default_discard,
    PickChoice: _default_pick,
    SwapChoice: _default_swap,
}


def mean_speed(card: CardName) -> float:
    """Give the value that a card may be expected to add; a flip adds 2.5."""
    return CARD_SPEEDS[card] + 2.5 * CARD_FLIPS[card]
