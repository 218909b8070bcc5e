"""What is answered for a seat that does not choose, or has nothing to choose (NET-5)."""

from __future__ import annotations

from typing import assert_never

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
from heat_core.view.race_view import Observation


def default_command(observation: Observation) -> c.Command:
    """Choose for the open decision of a seat, from its observation alone.

    The nearest gear to the present one, lower first; the playable cards of least value, a flip counted as its
    mean, and the least of a choice; cooldown in full, what must be used, and nothing else; a slipstream only
    if no Heat is then owed; no discards; the first card of a draft, and no swap.
    """
    choice = observation.own.choice
    match choice:
        case GearChoice():
            gear = observation.own_car.gear
            options = [option.gear for option in choice.options]
            return c.ShiftGear(min(options, key=lambda other: (abs(other - gear), other)))
        case CardsChoice():
            return c.PlayCards(tuple(sorted(choice.pool, key=mean_speed)[: choice.count]))
        case ValueChoice():
            return c.ChooseValue(tuple([min(speeds) for speeds in choice.speeds]))
        case ReactChoice():
            for kind in ("cooldown", "heat", "scrap"):
                for number, use in enumerate(choice.symbols):
                    if use.symbol.kind == kind and use.most:
                        return c.UseSymbol(number, use.most)
            return c.EndReact()
        case UnpaidChoice():
            return c.DropUnpaid(choice.ways[0])
        case SlipstreamChoice():
            for spaces in reversed(choice.spaces):
                if spaces and not forecast_slipstream(observation, spaces).slowest.owed:
                    return c.Slipstream(spaces)
            return c.Slipstream(0)
        case DiscardChoice():
            return c.Discard(())
        case PickChoice():
            return c.PickUpgrade(choice.offered[0])
        case SwapChoice():
            return c.SwapUpgrade(None, None)
        case None:
            raise ValueError(f"seat {observation.own.seat} has nothing to decide")
        case _:
            assert_never(choice)


def only_answer(choice: Choice) -> c.Command | None:
    """Give the answer to a decision that leaves nothing to decide, None where there is something.

    Programs give it unasked: it tells nothing of whether anybody sits there.
    """
    match choice:
        case CardsChoice(is_cluttered=True):
            return c.PlayCards(())
        case ReactChoice(must="") if not _can_react(choice):
            return c.EndReact()
        case SlipstreamChoice() if choice.spaces == (0,):
            return c.Slipstream(0)
        case UnpaidChoice() if len(choice.ways) == 1:
            return c.DropUnpaid(choice.ways[0])
        case DiscardChoice() if not choice.most and not choice.refreshable:
            return c.Discard(())
        case SwapChoice() if not choice.owned or not choice.left:
            return c.SwapUpgrade(None, None)
        case _:
            return None


def _can_react(choice: ReactChoice) -> bool:
    return any(use.most for use in choice.symbols) or any(not use.reason for use in choice.direct)


def mean_speed(card: CardName) -> float:
    """Give the value that a card may be expected to add; a flip adds 2.5."""
    return CARD_SPEEDS[card] + 2.5 * CARD_FLIPS[card]
