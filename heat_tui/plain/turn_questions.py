"""The questions of a turn that is being driven: reactions and slipstreams, what it costs to stop first."""

from __future__ import annotations

from typing import Final

from heat_core.cards import HEAT, STRESS
from heat_core.decisions import ReactChoice, SlipstreamChoice
from heat_core.rules.offers import SymbolUse
from heat_core.sentences.events import heat_text, parts_text
from heat_core.text import counted, listed
from heat_core.view.forecast import (
    forecast_direct,
    forecast_end_of_react,
    forecast_slipstream,
    forecast_symbol,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast
from heat_tui.plain.costs import FREE, cost_text, forecast_text, there_text
from heat_tui.plain.reactions import usable_names
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import sentence_of
from heat_tui.race.draft import Draft
from heat_tui.words.bills import bill_lines, extras_text

_AMOUNTS: Final = ("cooldown", "super_cool", "reduce_stress", "salvage")
"""The kinds of symbols of which less than all can be used."""


def reactions_asked(observation: Observation, choice: ReactChoice, voice: Voice) -> list[str]:
    """Say what it costs to stop now, then what can be used."""
    stop = forecast_end_of_react(observation)
    told = [choice.must or f"Stop on {there_text(observation, stop)}: {cost_text(stop)}."]
    names = usable_names(choice)
    if not voice.says("usual"):
        return [*told, f"Or {listed([_name_with_most(choice, *each) for each in names.items()], 'or')}?"]
    told += _stop_explained(observation, stop, voice)
    return [*told, *(f"Or {_use_text(observation, choice, *each)}." for each in names.items())]


def _stop_explained(observation: Observation, stop: Forecast, voice: Voice) -> list[str]:
    """Say how the cost of stopping is made up."""
    turn, way = observation.view.turn, stop.slowest
    told = []
    if voice.says("all") and turn is not None and turn.parts:
        told.append(f"Your speed is {parts_text(turn.parts)} = {way.speed}.")
    if way.owed and not stop.lacking:
        told.append(sentence_of(bill_lines(observation, stop)[0].text))
    return [*told, sentence_of(extras_text(observation, way).removeprefix("; "))]


def _name_with_most(choice: ReactChoice, name: str, row: int) -> str:
    """Say what is typed, with how much of it there is where that can be chosen."""
    if row < len(choice.symbols) and choice.symbols[row].symbol.kind in _AMOUNTS:
        return f"{name} {choice.symbols[row].most}"
    return name


def _use_text(observation: Observation, choice: ReactChoice, name: str, row: int) -> str:
    """Say what is typed, and what it does."""
    if row >= len(choice.symbols):
        direct = choice.direct[row - len(choice.symbols)]
        heat = f" for {heat_text(direct.heat)}" if direct.heat else ""
        forecast = forecast_direct(observation, direct, max(direct.speeds))
        return f"{name}{heat}: {_lead_text(observation, forecast, has_cost=bool(heat))}"
    use, hand = choice.symbols[row], observation.own.hand
    match use.symbol.kind:
        case "cooldown":
            return f"{name} {use.most} of {heat_text(hand.count(HEAT))} in hand"
        case "super_cool":
            return f"{name} {use.most}: Heat of the discard pile"
        case "reduce_stress":
            return f"{name} {use.most} of {hand.count(STRESS)} Stress in hand"
        case "salvage":
            return f"{name} and up to {counted(use.most, 'card')} of the discard pile"
        case "scrap":
            return f"{name}: {counted(use.most, 'card')} of the draw pile"
        case "heat":
            return f"{name}: {heat_text(use.heat)}"
        case _:
            return _moving_text(observation, use, name, row)


def _moving_text(observation: Observation, use: SymbolUse, name: str, row: int) -> str:
    heat = f" for {heat_text(use.heat)}" if use.heat else ""
    lead = _lead_text(observation, forecast_symbol(observation, row, use.most), has_cost=bool(heat))
    return f"{name}{heat}: {lead}"


def _lead_text(observation: Observation, forecast: Forecast, *, has_cost: bool = False) -> str:
    """Say where something leads, and what stopping there costs beside what the thing itself has cost."""
    cost = cost_text(forecast)
    return f"{there_text(observation, forecast)}, {'nothing more' if has_cost and cost == FREE else cost}"


def slipstreams_asked(
    observation: Observation, choice: SlipstreamChoice, draft: Draft, voice: Voice
) -> list[str]:
    """Say what it costs to stay, then what each slipstream leads to, the longest first."""
    longest_first = sorted(filter(None, choice.spaces), reverse=True)
    stay = forecast_slipstream(observation, 0)
    told = [f"Stay on {there_text(observation, stay)}: {cost_text(stay)}."]
    if not voice.says("usual"):
        ways = [f"{n}: {_lead_text(observation, forecast_slipstream(observation, n))}" for n in longest_first]
        return [*told, f"Or slipstream {'; '.join(ways)}?"]
    for spaces in longest_first:
        other = draft.copy()
        other.spaces = spaces
        told.append(f"{spaces}: {forecast_text(observation, other)}")
    return ["Slipstream?", *told]
