"""Advice in words: what a choice leads to, and what is worse about another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from heat_core.cards import VALUE_CHOICES, CardName
from heat_core.coach.prospects import LEAST_SPACES, PlayedCards, Prospect, Term
from heat_core.sentences.card_words import card_name, family_name
from heat_core.sentences.events import gear_name, heat_text
from heat_core.text import counted, listed
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome

_TOLD_CHANCE: Final = 0.1
"""A smaller one of a slipstream is not worth a word."""
_AS_GOOD_AS_CERTAIN: Final = 0.995
_TOLD_BOOST: Final = 0.5
"""Spaces that a boost later in the turn must bring to be said with the cards."""


def percent(chance: float) -> str:
    """Say a chance above 0: `25 %`, at least 1."""
    return f"{max(1, round(chance * 100))} %"


def spaces_text(spaces: float) -> str:
    """Say a difference of spaces, to the tenth: `1 space`, `0.6 spaces`."""
    told = f"{spaces:.1f}".removesuffix(".0")
    return f"{told} space" if told == "1" else f"{told} spaces"


def played_text(played: PlayedCards) -> str:
    """Say the cards of a play: `4 + Brakes 3, then Gas pedal 1`."""
    values = iter(played.values)
    cards = [_card_text(card, values) for card in played.cards]
    direct = [_card_text(card, values) for card in played.direct]
    told = " + ".join(cards)
    return f"{told}, then {' + '.join(direct)}" if direct else told


def _card_text(card: CardName, values: Iterator[int]) -> str:
    if card in VALUE_CHOICES:
        return f"{family_name(card)} {next(values)}"
    return card_name(card).removeprefix("+")


def added_text(cards: Sequence[CardName]) -> str:
    """Say cards as what adds up: `4 + 3`."""
    return " + ".join(card_name(card).removeprefix("+") for card in cards)


def move_text(observation: Observation, prospect: Prospect) -> str:
    """Say what a move comes to: how far, for how much Heat, and where it ends."""
    if prospect.spin_outs > _AS_GOOD_AS_CERTAIN:
        return _certain_spin_out_text(prospect)
    return _way_text(observation, prospect.forecast) + _after_text(prospect)


def end_text(observation: Observation, prospect: Prospect) -> str:
    """Say where the car stops and what may come of that: `stop 3 before corner 2, then a slipstream`."""
    if prospect.spin_outs > _AS_GOOD_AS_CERTAIN:
        return _certain_spin_out_text(prospect)
    return _stop_text(observation, _without_spin_outs(prospect.forecast)) + _after_text(prospect)


def _certain_spin_out_text(prospect: Prospect) -> str:
    return f"a spin-out at corner {prospect.forecast.slowest.bills[-1].corner + 1}"


def _without_spin_outs(forecast: Forecast) -> list[Outcome]:
    """Leave out what a spin-out undoes: it is told by its chance."""
    return [outcome for outcome in forecast.outcomes if not outcome.spins_out]


def _after_text(prospect: Prospect) -> str:
    """Say what may come of a move besides, each behind a comma."""
    told = ""
    if prospect.spin_outs:
        told += f", {spin_out_text(prospect)}"
    if prospect.cooled:
        told += f", {prospect.cooled} Heat cools"
    if prospect.slipstream > _AS_GOOD_AS_CERTAIN:
        told += ", then a slipstream"
    elif prospect.slipstream >= _TOLD_CHANCE:
        told += f", {percent(prospect.slipstream)} chance of a slipstream"
    if prospect.boost_spaces >= _TOLD_BOOST:
        told += ", then a boost if it still looks good"
    return told


def corner_ahead_text(observation: Observation) -> str:
    """Say what the next turn has to deal with: `corner 2 (limit 3) is 4 ahead`."""
    progress = observation.own_car.progress
    line = observation.track.next_line(progress)
    if line > observation.finish_line:
        return f"the finish line is {counted(observation.finish_line - progress + 1, 'space')} ahead"
    corner = observation.track.corner_at(line)
    limit = observation.view.corner_limits[corner]
    where = f"{line - progress} ahead" if line > progress else "right ahead"
    return f"corner {corner + 1} (limit {limit}) is {where}"


def _way_text(observation: Observation, forecast: Forecast) -> str:
    """Say how far, through which corners for how much Heat; or where the car stops before the next."""
    start = observation.own_car.progress
    outcomes = _without_spin_outs(forecast)
    ends = [outcome.end for outcome in outcomes]
    told = _range(min(ends) - start, max(ends) - start, "space")
    lines = dict.fromkeys(bill.corner for each in outcomes for bill in each.bills)
    finish = ", over the finish line" if all(each.finishes for each in outcomes) else ""
    if lines:
        word = "corner" if len(lines) == 1 else "corners"
        numbers = listed([str(corner + 1) for corner in sorted(lines)], "and")
        return f"{told} through {word} {numbers} {_cost_text(forecast.cards_heat, outcomes)}{finish}"
    cards = f" for {heat_text(forecast.cards_heat)}" if forecast.cards_heat else ""
    if finish:
        return f"{told}{cards}{finish}"
    return f"{told}{cards}, {_stop_text(observation, outcomes)}"


def _cost_text(cards_heat: int, outcomes: Sequence[Outcome]) -> str:
    owed = [each.owed + cards_heat for each in outcomes]
    if not max(owed):
        return "without Heat"
    return f"for {_range(min(owed), max(owed), '')} Heat"


def _range(least: int, most: int, word: str) -> str:
    if least == most:
        return counted(most, word) if word else str(most)
    return f"{least} to {most} {word}s" if word else f"{least} to {most}"


def _stop_text(observation: Observation, outcomes: Sequence[Outcome]) -> str:
    """Say where the car stops: `stop 12 before corner 2`, `stop right at the line of corner 2`."""
    ends = [outcome.end for outcome in outcomes]
    if min(ends) > observation.finish_line:
        return "over the finish line"
    return f"stop {_before_text(observation, min(ends), max(ends))}"


def _before_text(observation: Observation, first: int, last: int) -> str:
    """Say where a car is, against the next line, that is in [first, last], by progress."""
    finish_line, line = observation.finish_line, observation.track.next_line(last)
    if first > finish_line:
        return "over the finish line"
    if line > finish_line:
        line, goal, line_of = finish_line, "the finish line", ""
    else:
        goal, line_of = f"corner {observation.track.corner_at(line) + 1}", "the line of "
    if first == line:
        told = f"right at {line_of}{goal}"
    elif last < line:
        told = f"{_range(line - last, line - first, '')} before {goal}"
    else:
        told = f"at most {line - first} before {goal}"
    return f"{told} or over it" if last > finish_line else told


def worse_text(
    observation: Observation, name: str, spaces: float, reason: Term | None, better: Prospect, other: Prospect
) -> str:
    """Compare with a choice that is worse: how much, and what speaks against it.

    Args:
        name: Of the other choice.
        spaces: By how many it is worse.
    """
    if spaces < LEAST_SPACES:
        return f"{name} is about as good"
    worse = f"is {spaces_text(spaces)} worse"
    if reason is None:
        return f"{name} {worse}"
    further = round(other.end - better.end)
    goes = f"goes {counted(further, 'space')} further, but " if further > 0 else ""
    return f"{name} {goes}{_reason_text(observation, reason, better, other)} and {worse}"


def _reason_text(observation: Observation, reason: Term, better: Prospect, other: Prospect) -> str:
    match reason:
        case "distance":
            return f"goes {counted(max(1, round(better.end - other.end)), 'space')} less"
        case "heat":
            return f"leaves {max(1, round(better.engine - other.engine))} Heat less in the engine"
        case "gear":
            return f"leaves you in {gear_name(other.gear)} gear"
        case "place":
            return f"stops {_before_text(observation, round(other.end), round(other.end))}, a worse place,"
        case "spin-out":
            return spin_out_text(other)
        case "slipstream":
            return _slipstream_text(other.slipstream, better.slipstream)
        case "boost":
            return "gains less by a boost"
        case "cards":
            return "keeps worse cards for the next turn"
        case _:
            assert_never(reason)


def spin_out_text(prospect: Prospect) -> str:
    """Say how often a choice ends in a spin-out: `spins out in 25 % of cases`."""
    if prospect.spin_outs > _AS_GOOD_AS_CERTAIN:
        return "ends in a spin-out"
    return f"spins out in {percent(prospect.spin_outs)} of cases"


def _slipstream_text(chance: float, instead: float) -> str:
    if instead - chance < _TOLD_CHANCE:
        return "has a worse slipstream"
    if instead > _AS_GOOD_AS_CERTAIN and not chance:
        return "brings no slipstream"
    told = f"a {percent(chance)}" if chance else "no"
    return f"has {told} chance of a slipstream instead of {percent(instead)}"
