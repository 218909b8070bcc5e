"""A soak's figures as one SVG: rounds, places and spin-outs."""

from __future__ import annotations

from collections import Counter

from heat_core.charts import MARGIN, WIDTH, Sheet, columns
from heat_core.race.presets import PRESETS
from tests.soak.tally import KINDS, MOST_CARS, Tally, quantile

_PLACES = ("#1b4f72", "#2e79a6", "#5fa3c7", "#9cc8de", "#d4d4d4", "#e8c9a8", "#db9d64", "#b5622b")
_MOST_SPIN_OUTS = 8


def picture(total: Tally) -> str:
    """Draw rounds, places and spin-outs of a soak."""
    sheet = Sheet()
    sheet.text(MARGIN, sheet.y, f"{total.races} races, seed {total.seed}", size=18, bold=True)
    per_lap = {preset: _rounds_a_lap(total, preset) for preset in PRESETS}
    last = max(quantile(counts, 0.995) for counts in per_lap.values())
    sheet.title(f"Rounds for each lap, in % of the races (up to {last}; the longest 0.5 % are left out)")
    columns(sheet, list(per_lap.values()), list(PRESETS), range(1, last + 1))
    sheet.title("Places by kind of driver, in % of its cars; 1st at the left")
    stacks(sheet, total)
    sheet.title("Spin-outs of a seat in a race, in % of the seats")
    seats = KINDS[:2]
    columns(sheet, [total.kinds[name].spin_outs for name in seats], seats, range(_MOST_SPIN_OUTS + 1))
    return sheet.svg()


def _rounds_a_lap(total: Tally, preset: str) -> Counter[int]:
    """Count rounds divided by laps, rounded, so that short and long races go into one chart."""
    result: Counter[int] = Counter()
    for (_, its_preset, laps), counts in total.rounds.items():
        if its_preset == preset:
            for rounds, count in counts.items():
                result[round(rounds / laps)] += count
    return result


def stacks(sheet: Sheet, total: Tally) -> None:
    """Draw one bar for each kind of driver, cut up by its places."""
    sheet.legend([f"{place}." for place in range(1, MOST_CARS + 1)], _PLACES)
    left, width = MARGIN + 60.0, WIDTH - 2 * MARGIN - 60.0
    for name in KINDS:
        kind = total.kinds[name]
        if not kind.cars:
            continue
        sheet.text(left - 8, sheet.y + 16, name, anchor="end")
        x = left
        for place in range(1, MOST_CARS + 1):
            share = kind.places[place] / kind.cars
            sheet.box(x, sheet.y, width * share, 22, _PLACES[place - 1])
            if share >= 0.05:
                colour = "#fff" if place <= 2 or place == MOST_CARS else "#222"
                sheet.shapes.append(
                    f'<text x="{x + width * share / 2:.1f}" y="{sheet.y + 15:.1f}" font-size="10" '
                    f'text-anchor="middle" fill="{colour}">{100 * share:.0f}</text>'
                )
            x += width * share
        sheet.y += 28
