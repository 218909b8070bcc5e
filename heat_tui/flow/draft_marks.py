"""Where a half-made choice leads on the road."""

from __future__ import annotations

from heat_core.view.race_view import Observation
from heat_tui.map.marks import HighlightName
from heat_tui.race.draft import Draft
from heat_tui.words.wording import draft_outcomes


def draft_marks(observation: Observation, draft: Draft) -> dict[tuple[int, int], HighlightName]:
    """Mark where a draft leads on the road: space and spot -> what is to be seen there."""
    name: HighlightName = "slipstream" if draft.spaces else "target"
    marks: dict[tuple[int, int], HighlightName] = {}
    outcomes = draft_outcomes(observation, draft)
    for way in (way for outcome in outcomes for way in outcome.instead):
        marks[observation.track.space(way.end), way.spot] = "maybe"
    for outcome in outcomes:
        mark = "danger" if outcome.spins_out else name
        marks[observation.track.space(outcome.end), outcome.spot] = mark
    return marks
