"""Where a half-made choice leads on the road."""

from __future__ import annotations

from typing import Final

from heat_core.view.observation import Observation
from heat_tui.flow.painted_road import state_of
from heat_tui.map.marks import CornerState, HighlightName
from heat_tui.race.draft import Draft
from heat_tui.words.wording import draft_forecasts

_NAMES: Final[dict[CornerState, HighlightName]] = {"free": "target", "heat": "costs", "spin_out": "danger"}


def draft_marks(observation: Observation, draft: Draft) -> dict[tuple[int, int], HighlightName]:
    """Mark where a draft leads on the road: space and spot -> what is to be seen there."""
    marks: dict[tuple[int, int], HighlightName] = {}
    ends = [
        (forecast, outcome)
        for forecast in draft_forecasts(observation, draft)
        for outcome in forecast.outcomes
    ]
    for way in (way for _, outcome in ends for way in outcome.instead):
        marks[observation.track.space(way.end), way.spot] = "maybe"
    for forecast, outcome in ends:
        name = _NAMES[state_of(forecast, outcome)]
        if name == "target" and draft.spaces:
            name = "slipstream"
        marks[observation.track.space(outcome.end), outcome.spot] = name
    return marks
