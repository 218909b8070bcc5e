"""Gear lever, engine, and the counts of the piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_core.rules.shifting import GearOption
from heat_tui.keys.bindings import keys_of
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import GOLD, GREEN, RED, VIOLET
from heat_tui.widgets.panel import TextPanel

_COST: Final = 4
"""Cells for what a gear costs: `free`, or Heat as the gauge shows it."""
_ROOMY_CELLS: Final = 37
"""From this width on a blank keeps a cost from the next gear."""
_MOST_SHADES: Final = 3
NO_WORTHS: Final[Mapping[int, str]] = MappingProxyType({})
_FULL = Style(color=RED, bold=True)
_KEY = Style(color=GOLD, bold=True)


class Dashboard(TextPanel):
    """What the driver reads off the car: gear, Heat in the engine and in the hand, the piles."""

    def show_car(
        self,
        *,
        gear: int,
        lever: int | None,
        options: Sequence[GearOption],
        engine: int,
        engine_size: int,
        heat_in_hand: int,
        stress_in_hand: int,
        draw_size: int,
        discard_size: int,
        worths: Mapping[int, str] = NO_WORTHS,
    ) -> None:
        """Draw the instruments.

        Args:
            gear: The gear now, in [1, 5).
            lever: Where the lever stands while it is live, None otherwise.
            options: The gears within reach while it is live.
            worths: What gears are worth by the advice, in place of what they cost.
        """
        lever_line, hits = self._lever(gear, lever, {option.gear: option.heat for option in options}, worths)
        gauge = Text("engine ")
        gauge.append(self.glyphs.heat_full * engine, _FULL)
        gauge.append(self.glyphs.heat_empty * max(0, engine_size - engine), Style(dim=True))
        gauge.append(f" {engine} Heat", Style(bold=True))
        clog = Text("hand   ")
        clog.append(self.glyphs.shade * min(heat_in_hand, _MOST_SHADES), _FULL)
        clog.append(
            f" {heat_in_hand} dead Heat" if heat_in_hand else "no Heat",
            _FULL if heat_in_hand else Style(dim=True),
        )
        stress_style = Style(color=VIOLET) if stress_in_hand else Style(dim=True)
        clog.append(f"  {stress_in_hand} Stress", stress_style)
        piles = Text(f"draw {draw_size}  discard {discard_size} ")
        piles.append(keys_of(self).told("view.piles"), _KEY)
        piles.append(" look")
        hits.append(Hit((3, 0, len(piles.plain), "page('piles')")))
        self.show_lines([lever_line, gauge, clog, piles], hits)

    def _lever(
        self, gear: int, lever: int | None, heat: Mapping[int, int], worths: Mapping[int, str]
    ) -> tuple[Text, list[Hit]]:
        """Draw the gears; while the lever is live, behind each one within reach what it costs."""
        line = Text("gear ")
        hits: list[Hit] = []
        cells = _COST + (self.size.width >= _ROOMY_CELLS)
        for number in range(1, 5):
            is_here = number == (lever if lever is not None else gear)
            first = len(line.plain)
            if is_here:
                line.append(f"{self.glyphs.left}{number}{self.glyphs.right}", Style(bold=True, reverse=True))
            else:
                is_live = lever is not None and number in heat
                line.append(f" {number} ", Style(bold=is_live, dim=not is_live))
            cost = heat.get(number)
            if lever is None or cost is None:
                line.append(" " * cells)
            elif number in worths:
                line.append(f"{worths[number]:<{cells}}", Style(color=GREEN))
            elif cost:
                line.append(f"{cost}{self.glyphs.heat_full}".ljust(cells), _FULL)
            else:
                line.append("free".ljust(cells), Style(color=GREEN))
            hits.append(Hit((0, first, first + 3 + cells, f"gear({number})")))
        return line, hits
