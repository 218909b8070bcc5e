"""What a tournament came to as one SVG: ratings, and who finished ahead of whom, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from heat_core.charts import MARGIN, Sheet, intervals
from heat_core.text import counted
from heat_core.tournament.rates import Estimate
from heat_core.tournament.report import Standings

_ROUND_POINTS: Final = 100
"""The scale of ratings ends at whole hundreds."""


def draw_standings(kinds: Sequence[Standings]) -> str:
    """Draw the standings of each kind of race, one below the other."""
    sheet = Sheet()
    for standings in kinds:
        sheet.text(MARGIN, sheet.y, _title(standings), size=18, bold=True)
        sheet.title("Rating, in points as in chess; the mean of all is 0")
        _draw_ratings(sheet, standings.ratings)
        for pair in standings.neighbours:
            sheet.title(f"{pair.ahead} finishes ahead of {pair.behind}, in % of the races")
            shares = {
                name: Estimate(*(100 * share for share in estimate))
                for name, estimate in pair.by_board.items()
            }
            intervals(sheet, shares, (0, 100), middle=50)
        sheet.y += 30
    return sheet.svg()


def _title(standings: Standings) -> str:
    return f"{standings.name}, {counted(standings.races, 'race')}"


def _draw_ratings(sheet: Sheet, ratings: Mapping[str, Estimate]) -> None:
    least = min(estimate.low for estimate in ratings.values()) // _ROUND_POINTS * _ROUND_POINTS
    most = -(-max(estimate.high for estimate in ratings.values()) // _ROUND_POINTS) * _ROUND_POINTS
    intervals(sheet, ratings, (least, most), middle=0)
