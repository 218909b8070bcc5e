"""What a choice costs, in as few words as can be, and in as many as one wants."""

from __future__ import annotations

from typing import Final

from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import sentence_of
from heat_tui.race.draft import Draft
from heat_tui.words.bills import cards_heat_text, percent_text
from heat_tui.words.symbol_text import range_text
from heat_tui.words.wording import forecast_lines, next_corner_line

FREE: Final = "free"
_LINES_IN_FEW_WORDS: Final = 2
"""Of a forecast: what it leads to, and what that costs."""


def cost_text(forecast: Forecast) -> str:
    """Say what a choice costs: `free`, `2 of your 6 Heat`, `a spin-out for 5 Heat, you have 4`."""
    if forecast.lacking:
        return f"more Heat for your cards than your engine has, by {forecast.lacking}"
    if forecast.has_one_speed:
        text = _outcome_text(forecast.slowest)
    else:
        text = _chances_text(forecast)
    return " and ".join(filter(None, (text, cards_heat_text(forecast))))


def _outcome_text(outcome: Outcome) -> str:
    if outcome.spins_out:
        return f"a spin-out for {outcome.owed} Heat, you have {outcome.engine}"
    return f"{outcome.owed} of your {outcome.engine} Heat" if outcome.owed else FREE


def _chances_text(forecast: Forecast) -> str:
    owed = [way.owed for way in forecast.ways]
    if not max(owed):
        return FREE
    text = f"{range_text(min(owed), max(owed))} Heat, you have {forecast.slowest.engine}"
    if chance := forecast.spin_out_at_most:
        text += f": a spin-out in {percent_text(chance)} cases"
    return text


def forecast_text(observation: Observation, draft: Draft) -> str:
    """Say in sentences what a draft leads to and costs."""
    return " ".join(sentence_of(line.text) for line in forecast_lines(observation, draft))


def answer_text(observation: Observation, draft: Draft, voice: Voice) -> str:
    """Say what an answer leads to, at the level of words, without what the question has said."""
    corner = next_corner_line(observation).text  # which the question has said
    lines = [line.text for line in forecast_lines(observation, draft) if line.text != corner]
    if not voice.says("usual"):
        lines = lines[:_LINES_IN_FEW_WORDS]
    return " ".join(map(sentence_of, lines))


def there_text(observation: Observation, forecast: Forecast) -> str:
    """Say where a choice ends: `space 40`, `space 40 to 43`."""
    ends = [observation.track.space(outcome.end) for outcome in forecast.outcomes]
    return f"space {range_text(ends[0], ends[-1])}"
