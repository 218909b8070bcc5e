"""What the driver reads off the own car: gear and engine, what is in the hand and in the piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from heat_core.cards import HEAT, STRESS, CardName
from heat_core.decisions import GearChoice
from heat_core.rules.offers import GearOption
from heat_core.view.odds import own_flip_odds
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.flow.verdict import stays_of


class Instruments(NamedTuple):
    """What the driver reads off the car.

    Attributes:
        gear: The gear now, in [1, 5).
        lever: Where the lever is while it is live, None otherwise.
        options: The gears within reach while it is live.
        engine: Heat in it.
        stays: What the half-made choice leaves of that at worst.
        engine_size: Heat of a whole engine.
        heat_in_hand: Cards that clog it.
        stress_in_hand: The same.
        draw_pile: Its cards; their order is not known.
        discard_size: Cards in the discard pile.
        mean_flip: What the next flip is worth on average; 0 where no Speed card is left.
        worths: What gears are worth by the advice.
    """

    gear: int
    lever: int | None
    options: Sequence[GearOption]
    engine: int
    stays: int
    engine_size: int
    heat_in_hand: int
    stress_in_hand: int
    draw_pile: Sequence[CardName]
    discard_size: int
    mean_flip: float
    worths: Mapping[int, str]


def instruments_of(shown: ScreenModel, engine_size: int) -> Instruments | None:
    """Read the instruments of the car whose hand is open; None while no hand is.

    Args:
        shown: What the panels show.
        engine_size: Heat of a whole engine.
    """
    observation, draft = shown.observation, shown.draft
    if observation is None:
        return None
    own, car = observation.own, observation.own_car
    gears = own.choice if isinstance(own.choice, GearChoice) else None
    left = stays_of(observation, draft) if draft is not None else None
    return Instruments(
        gear=car.gear,
        lever=draft.gear if gears is not None and draft is not None else None,
        options=gears.options if gears is not None else (),
        engine=car.engine,
        stays=car.engine if left is None else min(left, car.engine),
        engine_size=engine_size,
        heat_in_hand=own.hand.count(HEAT),
        stress_in_hand=own.hand.count(STRESS),
        draw_pile=own.draw_pile,
        discard_size=len(car.discard_pile),
        mean_flip=sum(value * chance for value, chance in own_flip_odds(observation, 1).items()),
        worths=shown.worths.gears() if shown.worths is not None else {},
    )


def instruments_in_turn(
    shown: ScreenModel, engine_size: int, paid: int, gear: int | None
) -> Instruments | None:
    """Read them while a turn is shown, where nothing is chosen; see `instruments_of`.

    Args:
        paid: Heat that has left the engine since the view.
        gear: That the car has come into since the view, None for the view's.
    """
    now = instruments_of(shown._replace(draft=None, worths=None), engine_size)
    if now is None:
        return None
    engine = now.engine - paid
    return now._replace(gear=gear or now.gear, engine=engine, stays=engine, lever=None, options=())
