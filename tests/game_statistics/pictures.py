"""The pictures of docs/statistics.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from heat_core.charts import MARGIN, Sheet, intervals
from heat_core.sentences.card_words import card_label
from heat_core.text import ordinal
from heat_core.tournament.rates import Estimate
from tests.game_statistics.races import CARS, Kind
from tests.game_statistics.report import best_upgrades
from tests.game_statistics.tally import Tally, share_of, spin_out_rate
from tests.soak.tally import quantile


def pictures(kinds: Mapping[Kind, Tally]) -> Iterator[tuple[str, str]]:
    """Draw the pictures of one bot's races: subject and SVG of each."""
    if base := kinds.get("base"):
        rounds = {board: _spread(counts) for board, counts in base.rounds.items() if counts}
        yield "rounds", _draw("Rounds of a race: median, and 8 of 10 races", rounds)
        gaps = {ordinal(place): _spread(counts) for place, counts in enumerate(base.gaps[1:], start=2)}
        yield "gaps", _draw("Spaces behind the winner: median, and 8 of 10 races", gaps)
        wins = {
            ordinal(place): Estimate(*(100 * part for part in share_of(counts, 1)))
            for place, counts in enumerate(base.places, start=1)
        }
        yield "grid", _draw("Wins by grid place, in %", wins, middle=100 / CARS)
        corners = {
            f"{board} {number}": spin_out_rate(corner)
            for board, own in base.corners.items()
            for number, corner in enumerate(own, start=1)
        }
        yield "corners", _draw("Spin-outs of 1,000 cars that pass a corner", corners)
    if garage := kinds.get("garage"):
        cards = {card_label(card): gained for card, gained in best_upgrades(garage)}
        yield "upgrades", _draw("Places that an upgrade gains its owner", cards, middle=0)


def _spread(counts: Counter[int]) -> Estimate:
    middle, low, high = (quantile(counts, share) for share in (0.5, 0.1, 0.9))
    return Estimate(middle, low, high)


def _draw(title: str, rows: Mapping[str, Estimate], middle: float | None = None) -> str:
    sheet = Sheet()
    sheet.text(MARGIN, sheet.y, title, size=15, bold=True)
    sheet.y += 14
    intervals(sheet, rows, middle, on_scale=(0,))
    return sheet.svg()
