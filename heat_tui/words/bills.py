"""The bills of corners in words: what is certain, what depends on flips and on other cars."""

from __future__ import annotations

from typing import Final

from heat_core.rules.corner_bills import CornerBill
from heat_core.sentences.events import heat_text
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome
from heat_tui.words.line import DANGER, GOOD, PLAIN, WARN, Line
from heat_tui.words.road_text import limit_text
from heat_tui.words.symbol_text import either_text, range_text

_AS_GOOD_AS_CERTAIN: Final = 0.995


def bill_lines(observation: Observation, forecast: Forecast) -> list[Line]:
    """Say what the corners ask for: each bill where the speed is certain, else the chances.

    What cars that drive before may change comes last.
    """
    lines = _corner_lines(observation, forecast)
    if forecast.lacking:
        short = (
            f"your engine lacks {forecast.lacking} Heat for these cards: cool first, or flips replace them"
        )
        return [Line(short, DANGER), lines[0]]
    return lines


def bill_text(observation: Observation, forecast: Forecast) -> str:
    """Say the same in one line, as short as it can be."""
    text = bill_lines(observation, forecast)[0].text
    outcome = forecast.slowest
    if forecast.lacking or not forecast.has_one_speed or not (cost := _cost_instead(observation, outcome)):
        return text
    return f"{text}; if {_full_text(observation, outcome)}: {cost}"


def cards_heat_text(forecast: Forecast) -> str:
    """Say what the turn's cards must still be paid with, "" where that is nothing."""
    return f"{heat_text(forecast.cards_heat)} for cards" if forecast.cards_heat else ""


def percent_text(chance: float) -> str:
    """Say how often something comes: `25 % of`, `all`."""
    return "all" if chance > _AS_GOOD_AS_CERTAIN else f"{max(1, round(chance * 100))} % of"


def _corner_lines(observation: Observation, forecast: Forecast) -> list[Line]:
    if not forecast.has_one_speed:
        return _lines_of_chances(observation, forecast)
    outcome = forecast.slowest
    if not outcome.instead:
        return _certain_lines(observation, forecast, outcome)
    return [_first_line(observation, forecast, outcome), _line_instead(observation, outcome)]


def _certain_lines(observation: Observation, forecast: Forecast, outcome: Outcome) -> list[Line]:
    text, after = _bills_text(outcome), _after_text(forecast)
    if outcome.spins_out:
        # The worst comes first, for the line below may be taken by a message.
        head = f"SPIN-OUT {_spin_out_text(observation, outcome)}"
        return [Line(head, DANGER), Line(f"{text}, you have {outcome.engine}{after}", DANGER)]
    if outcome.owed:
        left = f"{outcome.owed} of your {outcome.engine} Heat{after}, {outcome.engine_left} left"
        return [Line(text, WARN), Line(left + extras_text(observation, outcome))]
    return [_free_line(observation, forecast, outcome)]


def _free_line(observation: Observation, forecast: Forecast, outcome: Outcome) -> Line:
    text = _bills_text(outcome)
    cards_heat = cards_heat_text(forecast)
    free = f"{text}: free" if text else "no corner" if cards_heat else "no corner crossed"
    if cards_heat:
        free += f"; {cards_heat}, {outcome.engine_left} left"
    return Line(free + extras_text(observation, outcome), GOOD)


def _first_line(observation: Observation, forecast: Forecast, outcome: Outcome) -> Line:
    """Say in one line what happens where other cars leave the space free at which the move is aimed."""
    if outcome.spins_out:
        text = f"SPIN-OUT {_spin_out_text(observation, outcome)}: {_owed_text(outcome)}"
        return Line(text, DANGER if all(way.spins_out for way in outcome.ways) else WARN)
    if outcome.owed:
        return Line(f"{_bills_text(outcome)} of your {outcome.engine}{_after_text(forecast)}", WARN)
    return _free_line(observation, forecast, outcome)


def _line_instead(observation: Observation, outcome: Outcome) -> Line:
    """Say where the car ends, and what that costs, only if other cars fill the space before."""
    ends = either_text([observation.track.space(way.end) for way in outcome.instead])
    cost = _cost_instead(observation, outcome)
    text = f"{ends} only if {_full_text(observation, outcome)}"
    return Line(f"{text}: {cost}", WARN) if cost else Line(text, PLAIN)


def _full_text(observation: Observation, outcome: Outcome) -> str:
    return f"{observation.track.space(outcome.instead[0].full[0])} is full"


def _cost_instead(observation: Observation, outcome: Outcome) -> str:
    """Say what it costs if the car ends elsewhere, "" where that makes no difference."""
    ways = outcome.instead
    if all((way.owed, way.finishes, way.spin_ends) == _costs_of(outcome) for way in ways):
        return ""
    spinning = [way for way in ways if way.spins_out]
    if spinning:
        often = "" if len(spinning) == len(ways) else "at worst "
        where = either_text([observation.track.space(end) for end in spinning[-1].spin_ends])
        return f"{often}SPIN-OUT to {where}, {_owed_text(spinning[-1])}"
    owed = [way.owed for way in ways]
    finish = "; over the finish line" if any(way.finishes for way in ways) and not outcome.finishes else ""
    if not max(owed):
        return ("free" if outcome.owed else "no corner to pay") + finish
    return f"{range_text(min(owed), max(owed))} Heat of your {outcome.engine}{finish}"


def _costs_of(outcome: Outcome) -> tuple[int, bool, tuple[int, ...]]:
    return outcome.owed, outcome.finishes, outcome.spin_ends


def _owed_text(outcome: Outcome) -> str:
    return f"{outcome.owed} Heat, you have {outcome.engine}"


def _lines_of_chances(observation: Observation, forecast: Forecast) -> list[Line]:
    """Say what flips may lead to, wherever other cars may stop."""
    ways, cards_heat = forecast.ways, cards_heat_text(forecast)
    least, most = min(way.owed for way in ways), max(way.owed for way in ways)
    extra = _finish_chance(forecast) or _slipstream_chance(forecast)
    if not most:
        return [Line("no corner to pay" + (f"; {cards_heat}" if cards_heat else "") + extra, GOOD)]
    widest = forecast.fastest if forecast.fastest.bills else max(ways, key=lambda way: len(way.bills))
    engine = f"{forecast.slowest.engine}{_after_text(forecast)}"
    asked = f"{_corners_text(widest)}: {range_text(least, most)} Heat of your {engine}{extra}"
    if not forecast.spin_out_at_most:
        return [Line(asked, WARN)]
    worst = next(way for way in reversed(ways) if way.spins_out)
    head = f"SPIN-OUT in {_chances_text(forecast)} cases, {_spin_out_text(observation, worst)}"
    style = DANGER if forecast.spin_out_probability else WARN
    return [Line(head, style), Line(asked, style)]


def _chances_text(forecast: Forecast) -> str:
    least, most = forecast.spin_out_probability, forecast.spin_out_at_most
    if percent_text(least) == percent_text(most):
        return percent_text(most)
    return f"up to {percent_text(most)}" if not least else f"{round(least * 100)} to {percent_text(most)}"


def _after_text(forecast: Forecast) -> str:
    cards_heat = cards_heat_text(forecast)
    return f" after {cards_heat}" if cards_heat else ""


def _finish_chance(forecast: Forecast) -> str:
    """Say how likely the flips take the car over the finish line."""
    chance = sum(outcome.probability for outcome in forecast.outcomes if outcome.finishes)
    if not chance:
        return ""
    often = "" if chance > _AS_GOOD_AS_CERTAIN else f" in {percent_text(chance)} cases"
    return f"; over the finish line{often}"


def _slipstream_chance(forecast: Forecast) -> str:
    """Say how likely a slipstream will be possible for sure where the flips take the car."""
    chance = forecast.slipstream_probability
    if not chance:
        return ""
    if chance > _AS_GOOD_AS_CERTAIN:
        return "; a slipstream is possible there"
    return f"; slipstream in {percent_text(chance)} cases"


def _corners_text(outcome: Outcome) -> str:
    """Name the corners that an outcome crosses, with their limits."""
    word = "corner" if len(outcome.bills) == 1 else "corners"
    numbers = ", ".join(str(bill.corner + 1) for bill in outcome.bills)
    limits = ", ".join(str(bill.limit) for bill in outcome.bills)
    return f"{word} {numbers} ({'limit' if word == 'corner' else 'limits'} {limits})"


def _bills_text(outcome: Outcome) -> str:
    """Say what each corner crossed costs; several are shown so shortly that a line of 80 cells holds them."""
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


def _spin_out_text(observation: Observation, outcome: Outcome) -> str:
    spaces = either_text([observation.track.space(end) for end in outcome.spin_ends])
    return f"to {spaces}, {outcome.stress} Stress, 1st gear"


def extras_text(observation: Observation, outcome: Outcome) -> str:
    """Say behind a semicolon what an outcome brings besides: the finish, or a slipstream; else ""."""
    if outcome.finishes:
        return "; over the finish line"
    if outcome.slipstream_end is not None:
        return "; a slipstream is possible there"
    if outcome.may_slipstream:
        here, ahead = observation.track.space(outcome.end), observation.track.space(outcome.end + 1)
        return f"; slipstream if a car is on {here} or {ahead}"
    return ""
