"""A soak's figures as one SVG: rounds, places and spin-outs. Plain shapes, written by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.sax.saxutils import escape

from heat_core.race.presets import PRESETS
from tests.soak.tally import KINDS, MOST_CARS, Tally, quantile

WIDTH = 960
MARGIN = 60
_COLOURS = ("#2f6f9f", "#d98032", "#9bbf8a", "#5b9a5f", "#25623a")
_PLACES = ("#1b4f72", "#2e79a6", "#5fa3c7", "#9cc8de", "#d4d4d4", "#e8c9a8", "#db9d64", "#b5622b")
_MOST_SPIN_OUTS = 8


class Sheet:
    """An SVG that grows downwards."""

    def __init__(self) -> None:
        """Begin at the top."""
        self.shapes: list[str] = []
        self.y = 24.0

    def text(
        self, x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, bold: bool = False
    ) -> None:
        """Write a line; `y` is its baseline."""
        style = f'font-size="{size}" text-anchor="{anchor}"' + (' font-weight="bold"' if bold else "")
        self.shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>')

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle."""
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Draw a thin line."""
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self.shapes.append(f'<line {ends} stroke="#999" stroke-width="0.7"/>')

    def title(self, text: str) -> None:
        """Begin a chart."""
        self.y += 30
        self.text(MARGIN, self.y, text, size=15, bold=True)
        self.y += 14

    def legend(self, names: Sequence[str], colours: Sequence[str], x: float = MARGIN) -> None:
        """Name the colours of a chart."""
        for name, colour in zip(names, colours, strict=False):
            self.box(x, self.y, 11, 11, colour)
            self.text(x + 16, self.y + 10, name)
            x += 34 + 7 * len(name)
        self.y += 22

    def svg(self) -> str:
        """Give the whole picture."""
        height = round(self.y + 24)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" fill="#222">\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(self.shapes) + "\n</svg>\n"
        )


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


def columns(sheet: Sheet, series: Sequence[Counter[int]], names: Sequence[str], values: range) -> None:
    """Draw columns side by side: one group for each value, one column for each series."""
    sheet.legend(names, _COLOURS)
    height, width = 180.0, WIDTH - 2 * MARGIN
    shares = [[counts[value] / max(1, counts.total()) for value in values] for counts in series]
    most = max(max(row) for row in shares) or 1.0
    base = sheet.y + height
    for step in range(5):
        y = base - height * step / 4
        sheet.line(MARGIN, y, MARGIN + width, y)
        sheet.text(MARGIN - 6, y + 4, f"{100 * most * step / 4:.0f} %", anchor="end", size=10)
    group = width / len(values)
    column = group * 0.8 / len(series)
    for place, value in enumerate(values):
        left = MARGIN + place * group + group * 0.1
        for number, row in enumerate(shares):
            tall = height * row[place] / most
            sheet.box(left + number * column, base - tall, column, tall, _COLOURS[number])
        if len(values) <= 25 or value % 5 == 0:
            sheet.text(left + group * 0.4, base + 14, str(value), anchor="middle", size=10)
    sheet.y = base + 18


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
