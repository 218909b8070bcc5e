"""What a half-made choice costs, in one word and a number."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.decisions import CardsChoice, GearChoice
from heat_core.view.observation import Observation
from heat_tui.flow.painted_road import MILDEST_FIRST, state_of
from heat_tui.map.marks import CornerState
from heat_tui.race.draft import Draft
from heat_tui.words.symbol_text import range_text
from heat_tui.words.wording import draft_forecasts, draft_outcomes


class Verdict(NamedTuple):
    """What a choice costs.

    Attributes:
        state: The worst that it may come to by itself, whatever the other cars do.
        text: `FREE`, `3 HEAT`, `SPIN-OUT`; with a question mark where flips or other cars decide.
    """

    state: CornerState
    text: str


def verdict_on(observation: Observation, draft: Draft) -> Verdict | None:
    """Judge a draft; None where it is not whole or moves nothing."""
    choice = observation.own.choice
    if draft.salvage is not None or (isinstance(choice, CardsChoice) and len(draft.picked) < choice.count):
        return None
    forecasts = draft_forecasts(observation, draft)
    if not forecasts:
        return None
    if any(forecast.lacking for forecast in forecasts):
        return Verdict("spin_out", "CANNOT PAY")
    costs: list[int] = []
    states: set[CornerState] = set()
    may_differ = False
    for forecast in forecasts:
        extra = forecast.heat + forecast.cards_heat
        for outcome in forecast.outcomes:
            for way in outcome.ways:
                state = state_of(forecast, way)
                if way is outcome:
                    costs.append(extra + way.owed)
                    states.add(state)
                elif (state, way.owed) != (state_of(forecast, outcome), outcome.owed):
                    may_differ = True
    worst = max(states, key=MILDEST_FIRST.index)
    doubt = "?" if may_differ or (worst == "spin_out" and len(states) > 1) else ""
    if worst == "spin_out":
        return Verdict(worst, f"SPIN-OUT{doubt}")
    if worst == "heat":
        return Verdict(worst, f"{range_text(min(costs), max(costs))} HEAT{doubt}")
    return Verdict(worst, f"FREE{doubt}")


def stays_of(observation: Observation, draft: Draft) -> int | None:
    """Say how much Heat a draft leaves in the engine at worst, None where it moves nothing."""
    choice = observation.own.choice
    if isinstance(choice, GearChoice):
        return max(0, observation.own_car.engine - choice.heat_of(draft.gear))
    outcomes = draft_outcomes(observation, draft)
    return min((outcome.engine_left for outcome in outcomes), default=None)
