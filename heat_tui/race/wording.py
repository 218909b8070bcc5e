"""What a choice will cost, in words: the lines under the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heat_core.card_words import card_label, card_name, cards_text
from heat_core.cards import CardName
from heat_core.choices import (
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
from heat_core.forecast import (
    Forecast,
    Outcome,
    forecast_direct,
    forecast_each_value,
    forecast_end_of_react,
    forecast_gear,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
    forecast_values,
    may_slipstream,
    sure_cooling,
)
from heat_core.module_sentences import sector_word
from heat_core.rules.corners import CornerBill
from heat_core.sentences import gear_name, heat_text, parts_text
from heat_core.track import Track
from heat_core.view import RaceView, Sight, TurnView
from heat_tui.keys import USUAL, Keys
from heat_tui.race.draft import DONE, Draft
from heat_tui.race.palette import CYAN, GOLD, GREEN
from heat_tui.race.road_text import corner_text, limit_text
from heat_tui.race.symbol_text import direct_text, full_text, range_text, spaces_text, symbol_text

DANGER = "bold white on #b3261e"
WARN = f"bold {GOLD}"
GOOD = GREEN
PLAIN = ""
DIM = "dim"
HINT = CYAN

_AS_GOOD_AS_CERTAIN = 0.995


class Line(NamedTuple):
    """A line and the style it is shown in."""

    text: str
    style: str = PLAIN


def forecast_lines(sight: Sight, draft: Draft, keys: Keys = USUAL) -> list[Line]:
    """Say what the draft leads to: the sum first, then what it costs. At most three lines."""
    choice = sight.own.choice
    match choice:
        case GearChoice():
            return _gear_lines(sight, choice, draft)
        case CardsChoice():
            return _cards_lines(sight, choice, draft)
        case ValueChoice():
            return _value_lines(sight, choice, draft)
        case ReactChoice():
            return _react_lines(sight, choice, draft, keys)
        case UnpaidChoice():
            return _unpaid_lines(sight, choice, draft)
        case SlipstreamChoice():
            return _slipstream_lines(sight, draft)
        case DiscardChoice():
            return _discard_lines(sight, choice, draft)
        case PickChoice():
            return [Line(f"pick {card_label(choice.offered[draft.row])} for your deck")]
        case SwapChoice() if draft.row == DONE:
            return [Line("keep all that you own")]
        case SwapChoice():
            give, take = choice.owned[draft.give], choice.left[draft.row]
            return [Line(f"swap {card_label(give)} for {card_label(take)}")]
        case None:
            return []


def draft_outcomes(sight: Sight, draft: Draft) -> tuple[Outcome, ...]:
    """Work out all places that the draft may lead to; none where it moves nothing."""
    choice = sight.own.choice
    if isinstance(choice, CardsChoice) and not choice.is_cluttered and draft.picked:
        told = forecast_each_value(sight, draft.cards(sight.own))
        return tuple(outcome for forecast in told for outcome in forecast.outcomes)
    forecast = _draft_forecast(sight, draft)
    return forecast.outcomes if forecast else ()


def _draft_forecast(sight: Sight, draft: Draft) -> Forecast | None:
    choice = sight.own.choice
    match choice:
        case ValueChoice():
            return forecast_values(sight, draft.values)
        case UnpaidChoice():
            return forecast_unpaid(sight, choice.ways[draft.row])
        case ReactChoice():
            return _react_forecast(sight, choice, draft)
        case SlipstreamChoice():
            return forecast_slipstream(sight, draft.spaces)
        case _:
            return None


def _gear_lines(sight: Sight, choice: GearChoice, draft: Draft) -> list[Line]:
    told = forecast_gear(sight, draft.gear)
    now = sight.own_car.gear
    verb = "stay in" if draft.gear == now else "shift to"
    cost = f"costs {heat_text(told.heat)} of your {sight.own_car.engine}" if told.heat else "free"
    lines = [Line(f"{verb} {gear_name(draft.gear)} gear: {cost}, then play {_count(draft.gear, 'card')}")]
    if not told.fills:
        text = f"your hand cannot fill {gear_name(draft.gear)} gear: CLUTTERED, the car would not move"
        return [*lines, Line(text, DANGER), next_corner_line(sight)]
    lines.append(Line(f"your cards make a speed of {told.least_speed} to {told.most_speed} there"))
    cools = {1: "cools up to 3 Heat", 2: "cools 1 Heat", 4: "may boost"}.get(draft.gear)
    if cools and not (draft.gear == 4 and 4 not in sight.setup.rules.boost_gears):
        lines[-1] = Line(f"{lines[-1].text}; the gear {cools}")
    return [*lines, next_corner_line(sight)]


def next_corner_line(sight: Sight) -> Line:
    """Say how far the own car may go before the next corner line, or the finish if that is nearer.

    Where the car stands in a sector that does something, that comes first.
    """
    effect = sight.sector_effect(sight.own_car.progress)
    line = _way_line(sight)
    return line if effect is None else line._replace(text=f"here: {sector_word(effect)}; {line.text}")


def _way_line(sight: Sight) -> Line:
    track, car = sight.track, sight.own_car
    ways = [(corner.after_space - car.space) % track.spaces for corner in track.corners]
    number = min(range(len(ways)), key=ways.__getitem__)
    to_finish = sight.finish_line - car.progress
    if to_finish <= ways[number]:
        return Line(f"the finish line is {_count(to_finish + 1, 'space')} ahead, no corner before it", DIM)
    corner = f"corner {number + 1} ({corner_text(track, sight.view.roads, number)})"
    if not ways[number]:
        return Line(f"{corner} is right ahead: any move crosses it", DIM)
    verb = "is" if ways[number] == 1 else "are"
    return Line(f"{_count(ways[number], 'space')} {verb} free before {corner}", DIM)


def turn_line(view: RaceView, names: Sequence[str], track: Track) -> Line | None:
    """Say how far the turn of the car that drives has come, None while its speed is not known."""
    turn = view.turn
    if turn is None or turn.speed is None:
        return None
    space = track.space(view.cars[turn.car].progress)
    return Line(f"{names[turn.car]}: {_sum_text(turn)}speed {turn.speed}, on space {space}")


def _cards_lines(sight: Sight, choice: CardsChoice, draft: Draft) -> list[Line]:
    if choice.is_cluttered:
        return [Line("your hand cannot fill the gear: the car will not move", DANGER)]
    cards = draft.cards(sight.own)
    missing = choice.count - len(cards)
    if not cards:
        return [Line(f"pick {choice.count} of your cards: 1 to 9, or click"), next_corner_line(sight)]
    told = forecast_each_value(sight, cards)
    words = " + ".join(card_name(card).removeprefix("+") for card in cards)
    speeds = range_text(told[0].slowest.speed, told[-1].fastest.speed)
    head = f"picked {words} = speed {speeds}, to space {spaces_text(sight, *told)}"
    if missing:
        head += f"; pick {missing} more"
    return [Line(head), *_with_cooling(sight, cards, told[-1], _lines_by_value(sight, told))]


def _with_cooling(
    sight: Sight, cards: Sequence[CardName], fastest: Forecast, lines: list[Line]
) -> list[Line]:
    """Add to the warning of a spin-out that it is less likely when Heat is cooled first, where that is so."""
    cooled = sure_cooling(sight, cards)
    chance = fastest.spin_out_probability
    if not cooled or not chance or sight.sector_effect(fastest.fastest.end) == "no_cooldown":
        return lines
    cooler = forecast_each_value(sight, cards, cooled=cooled)[-1].spin_out_probability
    if cooler >= chance:
        return lines
    left = f"in {_percent(cooler)} cases" if cooler else "none"
    first, *rest = lines
    return [first._replace(text=f"{first.text}; {left} if you cool {cooled}"), *rest]


def _lines_by_value(sight: Sight, told: Sequence[Forecast]) -> list[Line]:
    """Say what corners ask for at the most and at the least that cards with a choice may be worth."""
    least, most = told[0], told[-1]
    lines = bill_lines(sight, most)
    if len(told) == 1 or most.lacking or lines == bill_lines(sight, least):
        return lines
    texts = []
    for forecast in (most, least):
        speeds = range_text(forecast.slowest.speed, forecast.fastest.speed)
        texts.append(f"at {speeds}: {bill_lines(sight, forecast)[0].text}")
    cards_heat = _cards_heat_text(least)
    if cards_heat and cards_heat not in texts[1]:
        texts[1] += f"; {cards_heat}"
    return [Line(texts[0], lines[0].style), Line(texts[1], bill_lines(sight, least)[0].style)]


def _cards_heat_text(forecast: Forecast) -> str:
    """Say what the turn's cards must still be paid with, "" where that is nothing."""
    return f"{heat_text(forecast.cards_heat)} for your cards" if forecast.cards_heat else ""


def _value_lines(sight: Sight, choice: ValueChoice, draft: Draft) -> list[Line]:
    forecast = forecast_values(sight, draft.values)
    chosen = zip(choice.cards, draft.values, strict=True)
    words = ", ".join(f"{card_name(card)} at {value}" for card, value in chosen)
    text = f"{words}: speed {forecast.slowest.speed}, to space {spaces_text(sight, forecast)}"
    return [Line(text), *bill_lines(sight, forecast)]


def _unpaid_lines(sight: Sight, choice: UnpaidChoice, draft: Draft) -> list[Line]:
    way = choice.ways[draft.row]
    forecast = forecast_unpaid(sight, way)
    speeds = range_text(forecast.slowest.speed, forecast.fastest.speed)
    text = f"drop {cards_text(way)}: flip instead, speed {speeds}, to space {spaces_text(sight, forecast)}"
    return [Line(text), *bill_lines(sight, forecast)]


def _react_forecast(sight: Sight, choice: ReactChoice, draft: Draft) -> Forecast:
    if (direct := draft.direct(choice)) is not None:
        return forecast_direct(sight, direct, draft.amount)
    if draft.row == DONE:
        return forecast_end_of_react(sight)
    use = choice.symbols[draft.row]
    return forecast_symbol(sight, draft.row, max(use.least, min(draft.amount, use.most)))


def _react_lines(sight: Sight, choice: ReactChoice, draft: Draft, keys: Keys) -> list[Line]:
    if draft.salvage is not None:
        size = sight.own_car.draw_size + len(draft.salvage.cards)
        told = f"salvage {cards_text(draft.salvage.cards)}: shuffled into the draw pile, {size} cards then"
        back = keys.told("race.take_back")
        return [Line(told), Line(f"at most {draft.salvage.most}; {back} goes back", DIM)]
    forecast = _react_forecast(sight, choice, draft)
    if (direct := draft.direct(choice)) is not None:
        text = direct_text(sight, direct, draft.amount)
    elif draft.row != DONE:
        text = symbol_text(sight, choice, draft.row, draft.amount)
    else:
        turn = sight.view.turn
        speed = turn.speed if turn else 0
        text = f"done: {_sum_text(turn)}speed {speed}, on space {spaces_text(sight, forecast)}"
        if choice.must:
            return [Line(choice.must, WARN), Line(text)]
    return [Line(text), *bill_lines(sight, forecast)]


def _sum_text(turn: TurnView | None) -> str:
    return f"{parts_text(turn.parts)} = " if turn is not None and turn.parts else ""


def harmless_slipstream(sight: Sight, choice: SlipstreamChoice) -> int:
    """Give the spaces to offer first: the farthest slipstream that costs no more Heat than to stay."""
    staying = forecast_slipstream(sight, 0).slowest.owed
    return max(
        spaces for spaces in choice.spaces if forecast_slipstream(sight, spaces).slowest.owed <= staying
    )


def _slipstream_lines(sight: Sight, draft: Draft) -> list[Line]:
    forecast = forecast_slipstream(sight, draft.spaces)
    word = "slipstream to space" if draft.spaces else "no slipstream, stay on space"
    full = full_text(sight, draft.spaces, forecast.slowest.end)
    return [Line(f"{word} {spaces_text(sight, forecast)}{full}"), *bill_lines(sight, forecast)]


def _discard_lines(sight: Sight, choice: DiscardChoice, draft: Draft) -> list[Line]:
    cards, refreshed = draft.cards(sight.own), draft.refreshed(sight.own)
    size = sight.setup.hand_size
    drawn = max(0, size - len(sight.own.hand) + len(cards))
    text = f"discard {cards_text(cards)}, then draw {drawn} to a hand of {size}"
    lines = [Line(text)]
    if choice.refreshable:
        words = ", then ".join(card_name(card) for card in refreshed) or "nothing"
        lines.append(Line(f"refresh {words}: on top of the draw pile, the first is drawn first"))
    if choice.most < len(choice.pool):
        lines.append(Line(f"at most {_count(choice.most, 'card')} may be discarded this race"))
    return [*lines, next_corner_line(sight)][:3]


def _corners_text(outcome: Outcome) -> str:
    """Name the corners that an outcome crosses, with their limits."""
    word = "corner" if len(outcome.bills) == 1 else "corners"
    numbers = ", ".join(str(bill.corner + 1) for bill in outcome.bills)
    limits = ", ".join(str(bill.limit) for bill in outcome.bills)
    return f"{word} {numbers} ({'limit' if word == 'corner' else 'limits'} {limits})"


def bill_lines(sight: Sight, forecast: Forecast) -> list[Line]:
    """Say what the corners ask for: each bill where the outcome is certain, else the chances."""
    lines = _corner_lines(sight, forecast)
    if forecast.lacking:
        short = f"the engine lacks {forecast.lacking} Heat for your cards: cool first, or they go for flips"
        return [Line(short, DANGER), lines[0]]
    return lines


def _corner_lines(sight: Sight, forecast: Forecast) -> list[Line]:
    engine = forecast.slowest.engine
    cards_heat = _cards_heat_text(forecast)
    after = f" after {cards_heat}" if cards_heat else ""
    if forecast.is_certain:
        outcome = forecast.slowest
        text = _bills_text(outcome)
        if outcome.spins_out:
            # The worst comes first, for the line below may be taken by a message.
            head = f"SPIN-OUT {_spin_out_text(sight, outcome)}"
            return [Line(head, DANGER), Line(f"{text}, you have {engine}{after}", DANGER)]
        if outcome.owed:
            left = f"{outcome.owed} of your {engine} Heat{after}, {outcome.engine_left} left"
            return [Line(text, WARN), Line(left + _extras(sight, outcome))]
        free = f"{text}: free" if text else "no corner crossed"
        if cards_heat:
            free += f"; {cards_heat}, {outcome.engine_left} left"
        return [Line(free + _extras(sight, outcome), GOOD)]
    least = min(outcome.owed for outcome in forecast.outcomes)
    most = max(outcome.owed for outcome in forecast.outcomes)
    asked = f"{_corners_text(forecast.fastest)}: {range_text(least, most)} Heat of your {engine}{after}"
    chance = forecast.spin_out_probability
    extra = _finish_chance(forecast) or _slipstream_chance(sight, forecast)
    if chance:
        worst = next(outcome for outcome in reversed(forecast.outcomes) if outcome.spins_out)
        head = f"SPIN-OUT in {_percent(chance)} cases, {_spin_out_text(sight, worst)}"
        return [Line(head, DANGER), Line(asked + extra, DANGER)]
    if most:
        return [Line(asked + extra, WARN)]
    return [Line("no corner to pay" + (f"; {cards_heat}" if cards_heat else "") + extra, GOOD)]


def _finish_chance(forecast: Forecast) -> str:
    """Say how likely the flips take the car over the finish line."""
    chance = sum(outcome.probability for outcome in forecast.outcomes if outcome.finishes)
    if not chance:
        return ""
    often = "" if chance > _AS_GOOD_AS_CERTAIN else f" in {_percent(chance)} cases"
    return f"; over the finish line{often}"


def _slipstream_chance(sight: Sight, forecast: Forecast) -> str:
    """Say how likely a slipstream will be possible where the flips take the car."""
    chance = forecast.slipstream_probability
    if not chance or _is_before_the_turn(sight):
        return ""
    if chance > _AS_GOOD_AS_CERTAIN:
        return "; a slipstream is possible there"
    return f"; slipstream in {_percent(chance)} cases"


def _bills_text(outcome: Outcome) -> str:
    """Say what each corner crossed costs; several are told so shortly that a line of 80 cells holds them."""
    bills = outcome.bills
    if len(bills) < 2:
        return "".join(_bill_text(bill, outcome.speed) for bill in bills)
    text = _corners_text(outcome)
    if outcome.owed:
        text += f" at {outcome.speed}: {' + '.join(str(bill.owed) for bill in bills)} = {outcome.owed} Heat"
    return text


def _bill_text(bill: CornerBill, speed: int) -> str:
    text = f"corner {bill.corner + 1} ({limit_text(bill.limit_parts, bill.limit)})"
    if not bill.owed:
        return text
    more = "".join(f" + {part.amount} {part.rule}" for part in bill.owed_parts[1:])
    return f"{text}: {speed} − {bill.limit}{more} = {bill.owed} Heat"


def _spin_out_text(sight: Sight, outcome: Outcome) -> str:
    assert outcome.spin_end is not None
    space = sight.track.space(outcome.spin_end)
    return f"to {space}, {outcome.stress} Stress, 1st gear"


def _is_before_the_turn(sight: Sight) -> bool:
    """Tell whether cars are still to drive before the own one: nobody knows yet where they will stand."""
    return isinstance(sight.own.choice, CardsChoice)


def _extras(sight: Sight, outcome: Outcome) -> str:
    if outcome.finishes:
        return "; over the finish line"
    if _is_before_the_turn(sight):
        return _slipstream_wanted(sight, outcome.end)
    if outcome.slipstream_end is not None:
        return "; a slipstream is possible there"
    return ""


def _slipstream_wanted(sight: Sight, end: int) -> str:
    """Say where a car would have to stop for a slipstream, if one may that drives before the own one."""
    own = sight.own_car.progress
    may_come = any(car.is_on_track and own < car.progress <= end + 1 for car in sight.view.cars)
    if not may_come or not may_slipstream(sight, end):
        return ""
    return f"; slipstream if a car stops on {sight.track.space(end)} or {sight.track.space(end + 1)}"


def _percent(chance: float) -> str:
    return "all" if chance > _AS_GOOD_AS_CERTAIN else f"{max(1, round(chance * 100))} % of"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
