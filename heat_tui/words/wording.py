"""What a choice will cost, in words: the lines under the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.cards import CardName
from heat_core.decisions import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.rules.shifting import shift_bill
from heat_core.sentences.card_words import card_label, card_name, cards_text
from heat_core.sentences.events import gear_name, heat_text, parts_text
from heat_core.sentences.weather import sector_word
from heat_core.text import counted
from heat_core.track import Track
from heat_core.view.forecast import (
    forecast_direct,
    forecast_each_value,
    forecast_end_of_react,
    forecast_gear,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
    forecast_values,
    sure_cooling,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome
from heat_core.view.race_view import RaceView, TurnView
from heat_tui.keys.table import USUAL, Keys
from heat_tui.race.draft import DONE, Draft
from heat_tui.words.bills import bill_lines, bill_text, cards_heat_text, percent_text
from heat_tui.words.line import DANGER, DIM, WARN, Line
from heat_tui.words.road_text import corner_text
from heat_tui.words.symbol_text import (
    direct_text,
    full_text,
    perhaps_text,
    range_text,
    spaces_text,
    symbol_text,
)

OTHERS_MAY_CHANGE: Final = Line("cars that drive before you may fill the space where you would stop", DIM)
"""What the painted road cannot show."""
_SHIFT_WORDS: Final = {"flooded": "flooded road"}
_FITS_CELLS: Final = 78
"""What a line of the narrowest terminal holds behind its margin."""


def forecast_lines(observation: Observation, draft: Draft, keys: Keys = USUAL) -> list[Line]:
    """Say what the draft leads to: the sum first, then what it costs. At most three lines."""
    choice = observation.own.choice
    match choice:
        case GearChoice():
            return _gear_lines(observation, choice, draft)
        case CardsChoice():
            return _cards_lines(observation, choice, draft)
        case ValueChoice():
            return _value_lines(observation, choice, draft)
        case ReactChoice():
            return _react_lines(observation, choice, draft, keys)
        case UnpaidChoice():
            return _unpaid_lines(observation, choice, draft)
        case SlipstreamChoice():
            return _slipstream_lines(observation, draft)
        case DiscardChoice():
            return _discard_lines(observation, choice, draft)
        case PickChoice():
            return [Line(f"pick {card_label(choice.offered[draft.row])} for your deck")]
        case SwapChoice() if draft.row == DONE:
            return [Line("keep all your upgrades")]
        case SwapChoice():
            give, take = choice.owned[draft.give], choice.left[draft.row]
            return [Line(f"swap {card_label(give)} for {card_label(take)}")]
        case None:
            return []


def draft_forecasts(observation: Observation, draft: Draft) -> tuple[Forecast, ...]:
    """Forecast a draft, one for each sum that cards with a choice can have; none where it moves nothing."""
    choice = observation.own.choice
    if isinstance(choice, CardsChoice) and not choice.is_cluttered and draft.picked:
        return forecast_each_value(observation, draft.cards(observation.own))
    forecast = _draft_forecast(observation, draft)
    return (forecast,) if forecast else ()


def draft_outcomes(observation: Observation, draft: Draft) -> tuple[Outcome, ...]:
    """Work out all places that the draft may lead to; none where it moves nothing."""
    return tuple(outcome for forecast in draft_forecasts(observation, draft) for outcome in forecast.outcomes)


def _draft_forecast(observation: Observation, draft: Draft) -> Forecast | None:
    choice = observation.own.choice
    match choice:
        case ValueChoice():
            return forecast_values(observation, draft.values)
        case UnpaidChoice():
            return forecast_unpaid(observation, choice.ways[draft.row])
        case ReactChoice():
            return _react_forecast(observation, choice, draft)
        case SlipstreamChoice():
            return forecast_slipstream(observation, draft.spaces)
        case _:
            return None


def _gear_lines(observation: Observation, choice: GearChoice, draft: Draft) -> list[Line]:
    told = forecast_gear(observation, draft.gear)
    now = observation.own_car.gear
    verb = "stay in" if draft.gear == now else "shift to"
    cost = f"costs {heat_text(told.heat)} of your {observation.own_car.engine}" if told.heat else "free"
    play, why = f"play {counted(draft.gear, 'card')}", _water_text(observation, draft.gear)
    # A bill of two lines and the cards have no room beside each other in 80 cells.
    lines = [Line(f"{verb} {gear_name(draft.gear)} gear: {cost}{why or f', then {play}'}")]
    if not told.fills:
        text = f"your hand cannot fill {gear_name(draft.gear)} gear: CLUTTERED, so the car would not move"
        return [*lines, Line(text, DANGER), next_corner_line(observation)]
    speed = f"your cards give a speed of {range_text(told.least_speed, told.most_speed)}"
    lines.append(Line(f"{play}: {speed}" if why else speed))
    cools = {1: "cools up to 3 Heat", 2: "cools 1 Heat", 4: "may boost"}.get(draft.gear)
    if cools and not (draft.gear == 4 and 4 not in observation.setup.rules.boost_gears):
        lines[-1] = Line(f"{lines[-1].text}; this gear {cools}")
    return [*lines, next_corner_line(observation)]


def _water_text(observation: Observation, gear: int) -> str:
    """Say what a shift costs Heat for where water is part of it, "" elsewhere."""
    car = observation.own_car
    if gear >= car.gear or not observation.track.is_flooded[car.space]:
        return ""
    bill = shift_bill(car.gear, gear, is_flooded=True)
    parts = [f"{part.amount} for {_SHIFT_WORDS.get(part.rule, part.rule)}" for part in bill]
    return f": {', '.join(parts)}"


def next_corner_line(observation: Observation) -> Line:
    """Say how far the own car may go before the next corner line, or the finish if that is nearer.

    Where the car is in a sector that does something, that comes first.
    """
    effect = observation.sector_effect(observation.own_car.progress)
    line = _way_line(observation)
    return line if effect is None else line._replace(text=f"here: {sector_word(effect)}; {line.text}")


def _way_line(observation: Observation) -> Line:
    track, car = observation.track, observation.own_car
    ways = [(corner.after_space - car.space) % track.spaces for corner in track.corners]
    number = min(range(len(ways)), key=ways.__getitem__)
    to_finish = observation.finish_line - car.progress
    if to_finish < ways[number]:
        return Line(f"the finish line is {counted(to_finish + 1, 'space')} ahead, no corner before it", DIM)
    corner = f"corner {number + 1} ({corner_text(track, observation.view.roads, number)})"
    if not ways[number]:
        return Line(f"{corner} is right ahead: any move crosses it", DIM)
    return Line(f"{counted(ways[number], 'space')} left before {corner}", DIM)


def turn_line(view: RaceView, names: Sequence[str], track: Track) -> Line | None:
    """Say how far the turn of the car that drives has come, None while its speed is not known."""
    turn = view.turn
    if turn is None or turn.speed is None:
        return None
    space = track.space(view.cars[turn.car].progress)
    return Line(f"{names[turn.car]}: {_sum_text(turn)}speed {turn.speed}, on space {space}")


def _cards_lines(observation: Observation, choice: CardsChoice, draft: Draft) -> list[Line]:
    if choice.is_cluttered:
        return [Line("your hand cannot fill the gear, so the car will not move", DANGER)]
    cards = draft.cards(observation.own)
    missing = choice.count - len(cards)
    if not cards:
        return [Line(f"pick {choice.count} of your cards: 1 to 9, or click"), next_corner_line(observation)]
    told = forecast_each_value(observation, cards)
    words = " + ".join(card_name(card).removeprefix("+") for card in cards)
    speeds = range_text(told[0].slowest.speed, told[-1].fastest.speed)
    head = f"picked {words} = speed {speeds}, to space {spaces_text(observation, *told)}"
    asked = f"; pick {missing} more" if missing else ""
    outcomes = [outcome for forecast in told for outcome in forecast.outcomes]
    for known in (perhaps_text(observation, *told), full_text(observation, *outcomes)):
        if len(f"{head}{known}{asked}") <= _FITS_CELLS:
            head += known
    return [
        Line(head + asked),
        *_with_cooling(observation, cards, told[-1], _lines_by_value(observation, told)),
    ]


def _with_cooling(
    observation: Observation, cards: Sequence[CardName], fastest: Forecast, lines: list[Line]
) -> list[Line]:
    """Add to the warning of a spin-out that it is less likely when Heat is cooled first, where that is so."""
    cooled = sure_cooling(observation, cards)
    chance = fastest.spin_out_at_most
    if not cooled or not chance or observation.sector_effect(fastest.fastest.end) == "no_cooldown":
        return lines
    cooler = forecast_each_value(observation, cards, cooled=cooled)[-1].spin_out_at_most
    if cooler >= chance:
        return lines
    left = f"in {percent_text(cooler)} cases" if cooler else "none"
    for number, line in enumerate(lines):
        if "SPIN-OUT" in line.text:
            lines[number] = line._replace(text=f"{line.text}; {left} if you cool {cooled}")
            break
    return lines


def _lines_by_value(observation: Observation, told: Sequence[Forecast]) -> list[Line]:
    """Say what corners ask for at the most and at the least that cards with a choice may be worth."""
    least, most = told[0], told[-1]
    lines = bill_lines(observation, most)
    if len(told) == 1 or most.lacking or lines == bill_lines(observation, least):
        return lines
    texts = []
    for forecast in (most, least):
        speeds = range_text(forecast.slowest.speed, forecast.fastest.speed)
        texts.append(f"at {speeds}: {bill_text(observation, forecast)}")
    cards_heat = cards_heat_text(least)
    if cards_heat and cards_heat not in texts[1]:
        texts[1] += f"; {cards_heat}"
    return [Line(texts[0], lines[0].style), Line(texts[1], bill_lines(observation, least)[0].style)]


def _value_lines(observation: Observation, choice: ValueChoice, draft: Draft) -> list[Line]:
    forecast = forecast_values(observation, draft.values)
    chosen = zip(choice.cards, draft.values, strict=True)
    words = ", ".join(f"{card_name(card)} at {value}" for card, value in chosen)
    text = f"{words}: speed {forecast.slowest.speed}, to space {spaces_text(observation, forecast)}"
    return [Line(text), *bill_lines(observation, forecast)]


def _unpaid_lines(observation: Observation, choice: UnpaidChoice, draft: Draft) -> list[Line]:
    way = choice.ways[draft.row]
    forecast = forecast_unpaid(observation, way)
    speeds = range_text(forecast.slowest.speed, forecast.fastest.speed)
    text = f"drop {cards_text(way)} and flip: speed {speeds}, to space {spaces_text(observation, forecast)}"
    return [Line(text), *bill_lines(observation, forecast)]


def _react_forecast(observation: Observation, choice: ReactChoice, draft: Draft) -> Forecast:
    if (direct := draft.direct(choice)) is not None and not direct.reason:
        return forecast_direct(observation, direct, draft.amount)
    if draft.row == DONE or direct is not None:
        return forecast_end_of_react(observation)
    use = choice.symbols[draft.row]
    if not use.most:
        return forecast_end_of_react(observation)
    return forecast_symbol(observation, draft.row, max(use.least, min(draft.amount, use.most)))


def _react_lines(observation: Observation, choice: ReactChoice, draft: Draft, keys: Keys) -> list[Line]:
    if draft.salvage is not None:
        size = observation.own_car.draw_size + len(draft.salvage.cards)
        told = f"salvage {cards_text(draft.salvage.cards)}: shuffle into the draw pile ({size} cards then)"
        back = keys.told("race.take_back")
        return [Line(told), Line(f"at most {draft.salvage.most}; {back} goes back", DIM)]
    forecast = _react_forecast(observation, choice, draft)
    if (direct := draft.direct(choice)) is not None:
        text = direct_text(observation, direct, draft.amount)
    elif draft.row != DONE:
        text = symbol_text(observation, choice, draft.row, draft.amount)
    else:
        turn = observation.view.turn
        speed = turn.speed if turn else 0
        text = f"done: {_sum_text(turn)}speed {speed}, on space {spaces_text(observation, forecast)}"
        if choice.must:
            return [Line(choice.must, WARN), Line(text)]
    return [Line(text), *bill_lines(observation, forecast)]


def _sum_text(turn: TurnView | None) -> str:
    return f"{parts_text(turn.parts)} = " if turn is not None and turn.parts else ""


def harmless_slipstream(observation: Observation, choice: SlipstreamChoice) -> int:
    """Give the spaces to offer first: the farthest slipstream that costs no more Heat than to stay."""
    staying = forecast_slipstream(observation, 0).slowest.owed
    return max(
        spaces for spaces in choice.spaces if forecast_slipstream(observation, spaces).slowest.owed <= staying
    )


def _slipstream_lines(observation: Observation, draft: Draft) -> list[Line]:
    forecast = forecast_slipstream(observation, draft.spaces)
    word = "slipstream to space" if draft.spaces else "no slipstream, stay on space"
    full = full_text(observation, forecast.slowest)
    return [Line(f"{word} {spaces_text(observation, forecast)}{full}"), *bill_lines(observation, forecast)]


def _discard_lines(observation: Observation, choice: DiscardChoice, draft: Draft) -> list[Line]:
    cards, refreshed = draft.cards(observation.own), draft.refreshed(observation.own)
    size = observation.setup.hand_size
    drawn = max(0, size - len(observation.own.hand) + len(cards))
    text = f"discard {cards_text(cards)}, then draw {drawn} to a hand of {size}"
    lines = [Line(text)]
    if choice.refreshable:
        words = ", then ".join(card_name(card) for card in refreshed) or "nothing"
        lines.append(Line(f"refresh {words}: back on top of the draw pile, in this order"))
    if choice.most < len(choice.pool):
        lines.append(Line(f"at most {counted(choice.most, 'card')} may be discarded in this race"))
    return [*lines, next_corner_line(observation)][:3]
