"""The symbols of phase 5 in words: what using one does, what it costs, or why it cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from heat_core.cards import HEAT
from heat_core.decisions import ReactChoice
from heat_core.rules.offers import DirectUse, SymbolUse
from heat_core.sentences.card_words import card_label, card_name, source_name, symbol_word
from heat_core.sentences.events import gear_name, heat_text
from heat_core.view.forecast import forecast_direct, forecast_symbol
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome

SHORT_CELLS: Final = 33
"""Of a row at 80x24 that has a mark of hidden rows behind it: what a short text has room for."""


def symbol_text(
    observation: Observation, choice: ReactChoice, number: int, amount: int, *, is_row: bool = False
) -> str:
    """Say what using a symbol does and costs.

    Args:
        is_row: Whether the text is in the narrow list, without what the forecast shows.
    """
    use = choice.symbols[number]
    source = "" if use.symbol.source == "gear" else f" ({source_name(use.symbol)})"
    if not use.most:
        return f"{_name(use)}{source}: {reason_text(use.reason)}"
    shown = max(use.least, min(amount or use.most, use.most))
    if use.symbol.kind == "cooldown":
        return _cooling_text(observation, use, shown, is_row=is_row)
    text = _use_text(observation, use, number, shown)
    # "you" goes without saying in a row, and what must be done is seen at its first word.
    return (text.replace("you must ", "must: ") if is_row else text) + source


def _cooling_text(observation: Observation, use: SymbolUse, shown: int, *, is_row: bool) -> str:
    """Say how much of the Heat in the hand is cooled, and how much could be."""
    most, held = use.symbol.number, observation.own.hand.count(HEAT)
    if use.symbol.source == "gear":
        limit = f"; {gear_name(observation.own_car.gear)} gear cools up to {most}"
        return f"cool {shown} Heat of {held} in hand{'' if is_row else limit}"
    source = source_name(use.symbol)
    if is_row:
        return f"cool {shown} Heat ({source})"
    return f"cool {shown} Heat of {held} in hand ({source}{f': up to {most}' if most > 1 else ''})"


def _use_text(observation: Observation, use: SymbolUse, number: int, shown: int) -> str:
    forecast = forecast_symbol(observation, number, shown)
    there = f"to space {spaces_text(observation, forecast)}"
    match use.symbol.kind:
        case "super_cool":
            return f"cool {shown} Heat from the discard pile"
        case "reduce_stress":
            return f"discard {shown} Stress"
        case "speed":
            return f"+{use.symbol.number} speed, {there}"
        case "accelerate":
            return f"+{_gain(observation, forecast)} speed for your flips, {there}"
        case "boost":
            cost = heat_text(use.heat) if use.heat else "free"
            # The longest of the usual rows: whole in a list of 45 cells.
            gain, ends = (
                text.replace(" to ", "-")
                for text in (_gain(observation, forecast), spaces_text(observation, forecast))
            )
            return f"boost: {cost}, adds {gain}, to {ends}"
        case "heat":
            return f"you must pay {heat_text(use.heat)}"
        case "scrap":
            return f"you must scrap {shown} {'card' if shown == 1 else 'cards'}"
        case "salvage":
            return f"salvage up to {use.most} from the discard pile"
        case "draft":
            return f"draft {shown} further {there}, adds no speed"
        case "cooldown" | "flip" | "direct" | "slipstream" | "adjust" | "refresh":
            return symbol_word(use.symbol.kind, use.symbol.number)
        case _:
            assert_never(use.symbol.kind)


def short_symbol_text(observation: Observation, choice: ReactChoice, number: int, amount: int) -> str:
    """Say the same in a short row; what is left out, the forecast of the row says."""
    use = choice.symbols[number]
    source = "" if use.symbol.source == "gear" else f" ({source_name(use.symbol)})"
    if not use.most:
        reason = reason_text(use.reason)
        texts = (
            f"{_name(use)}{source}: {reason}",
            f"{_name(use)}{source}: {reason.removesuffix(' in your hand')}",
            f"{_name(use)}: {reason}",
            f"no {_name(use)}{source}",
        )
        return next((text for text in texts if len(text) <= SHORT_CELLS), texts[-1])
    shown = max(use.least, min(amount or use.most, use.most))
    forecast = forecast_symbol(observation, number, shown)
    end = spaces_text(observation, forecast).replace(" to ", "-")
    match use.symbol.kind:
        case "cooldown":
            return f"cool {shown} Heat{source}"
        case "speed":
            return f"+{use.symbol.number} speed, to {end}{source}"
        case "accelerate":
            return f"+{_gain(observation, forecast)} for flips{source}"
        case "boost":
            return f"boost: {heat_text(use.heat) if use.heat else 'free'}, to {end}{source}"
        case "scrap":
            return f"must: scrap {shown}{source}"
        case "heat":
            return f"must: pay {heat_text(use.heat)}{source}"
        case "salvage":
            return f"salvage up to {use.most}{source}"
        case "draft":
            return f"draft {shown} to {end}{source}"
        case "super_cool":
            return f"super cool {shown}{source}"
        case _:
            return _use_text(observation, use, number, shown) + source


def direct_text(observation: Observation, use: DirectUse, speed: int, *, is_row: bool = False) -> str:
    """Say what playing a card of the hand directly does and costs.

    Args:
        is_row: Whether the text is in the narrow list, without the symbols that the forecast names.
    """
    card = card_name(use.card) if is_row else card_label(use.card)
    if use.reason:
        return f"play {card}: {reason_text(use.reason)}"
    forecast = forecast_direct(observation, use, speed)
    at_speed = f" at {speed}" if len(use.speeds) > 1 else ""
    text = f"play {card}{at_speed}, to space {spaces_text(observation, forecast)}"
    if use.cooled:
        text += f", cools {use.cooled} first"
    return f"{text}, pays {heat_text(use.heat)}" if use.heat else text


def short_direct_text(use: DirectUse, speed: int) -> str:
    """Say the same in a short row."""
    if use.reason:
        return f"no {card_name(use.card)}"
    at_speed = f" at {speed}" if len(use.speeds) > 1 else ""
    return f"play {card_name(use.card)}{at_speed}" + (f", {heat_text(use.heat)}" if use.heat else "")


def reason_text(reason: str) -> str:
    """Make the sentence that says why something cannot be used short enough for a row of a list."""
    words = reason.rstrip(".").removeprefix("There is ").removeprefix("You have ")
    return words[:1].lower() + words[1:]


def spaces_text(observation: Observation, *told: Forecast) -> str:
    """Say where a choice ends, which may have several forecasts: `16`, or `16 to 19`."""
    ends = [observation.track.space(outcome.end) for forecast in told for outcome in forecast.outcomes]
    return str(ends[0]) if len(set(ends)) == 1 else f"{ends[0]} to {ends[-1]}"


def perhaps_text(observation: Observation, *told: Forecast) -> str:
    """Say where it may end besides if other cars fill spaces, "" where nowhere: ` or 20`."""
    sure = {outcome.end for forecast in told for outcome in forecast.outcomes}
    others = sorted({way.end for forecast in told for way in forecast.ways} - sure)
    if not others:
        return ""
    word = " or" if len(sure) == 1 else ", perhaps"
    return f"{word} {either_text([observation.track.space(end) for end in others])}"


def either_text(spaces: Sequence[int]) -> str:
    """Say that it is one of some spaces: `33`, `33 or 34`, `33 to 35`."""
    if len(spaces) == 1:
        return str(spaces[0])
    return f"{spaces[0]} {'or' if len(spaces) == 2 else 'to'} {spaces[-1]}"


def full_text(observation: Observation, *outcomes: Outcome) -> str:
    """Say why a move ends elsewhere than its speed would take it, "" where it does not: ` (48 is full)`."""
    full = next((outcome.aim for outcome in outcomes if outcome.end != outcome.aim), None)
    return "" if full is None else f" ({observation.track.space(full)} is full)"


def range_text(least: int, most: int) -> str:
    """Say a range: `2`, or `2 to 4`."""
    return str(least) if least == most else f"{least} to {most}"


def _gain(observation: Observation, forecast: Forecast) -> str:
    before = observation.view.turn.speed or 0 if observation.view.turn else 0
    return range_text(forecast.slowest.speed - before, forecast.fastest.speed - before)


def _name(use: SymbolUse) -> str:
    words = {"cooldown": "cool", "speed": "+1 speed", "boost": "boost"}
    return words.get(use.symbol.kind) or symbol_word(use.symbol.kind, use.symbol.number)
