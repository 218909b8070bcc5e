"""What a tournament came to as one SVG: ratings, and who finished ahead of whom, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence

from heat_core.charts import MARGIN, Sheet, intervals
from heat_core.text import counted
from heat_core.tournament.rates import Estimate
from heat_core.tournament.report import Standings


def draw_standings(kinds: Sequence[Standings]) -> str:
    """Draw the standings of each kind of race, one below the other."""
    sheet = Sheet()
    for standings in kinds:
        sheet.text(MARGIN, sheet.y, _title(standings), size=18, bold=True)
        sheet.title("Rating, in points as in chess; the mean of all is 0")
        intervals(sheet, standings.ratings, middle=0)
        for pair in standings.neighbours:
            sheet.title(f"{pair.ahead} finishes ahead of {pair.behind}, in % of the races")
            shares = {
                name: Estimate(*(100 * share for share in estimate))
                for name, estimate in pair.by_board.items()
            }
            intervals(sheet, shares, middle=50, on_scale=(0, 100))
        sheet.y += 30
    return sheet.svg()


def _title(standings: Standings) -> str:
    return f"{standings.name}, {counted(standings.races, 'race')}"
