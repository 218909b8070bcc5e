"""Gear lever, engine, and the counts of the piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_core.rules.shifting import GearOption
from heat_tui.keys.bindings import keys_of
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import BOLD, DIM, GOLD, GREEN, RED, VIOLET
from heat_tui.widgets.instruments import ROWS, engine_dial, gear_gate
from heat_tui.widgets.panel import TextPanel

_COST: Final = 4
"""Cells for what a gear costs: `free`, or Heat as the gauge shows it."""
_ROOMY_CELLS: Final = 37
"""From this width on a blank keeps a cost from the next gear."""
_MOST_SHADES: Final = 3
NO_WORTHS: Final[Mapping[int, str]] = MappingProxyType({})
_FULL = Style(color=RED, bold=True)
_KEY = Style(color=GOLD, bold=True)


class Instruments(NamedTuple):
    """What the driver reads off the car.

    Attributes:
        gear: The gear now, in [1, 5).
        lever: Where the lever stands while it is live, None otherwise.
        options: The gears within reach while it is live.
        engine: Heat in it.
        stays: What the half-made choice leaves of that at worst.
        engine_size: Heat of a whole engine.
        heat_in_hand: Cards that clog it.
        stress_in_hand: The same.
        draw_size: Cards in the draw pile.
        discard_size: Cards in the discard pile.
        worths: What gears are worth by the advice, in place of what they cost.
    """

    gear: int
    lever: int | None
    options: Sequence[GearOption]
    engine: int
    stays: int
    engine_size: int
    heat_in_hand: int
    stress_in_hand: int
    draw_size: int
    discard_size: int
    worths: Mapping[int, str] = NO_WORTHS


class Dashboard(TextPanel):
    """What the driver reads off the car: gear, Heat in the engine and in the hand, the piles.

    Where there is room, gate and dial are pictures.
    """

    def show_car(self, car: Instruments) -> None:
        """Draw the instruments."""
        self.show_fitting(partial(self._draw_car, car))

    def _draw_car(self, car: Instruments) -> None:
        heat = {option.gear: option.heat for option in car.options}
        top: list[Text] = []
        hits: list[Hit] = []
        if self.size.height > ROWS + 2 and self.has_pictures:
            gate = gear_gate(car.gear, car.lever, heat)
            dial = engine_dial(car.engine, car.stays, car.engine_size)
            top = [Text("  ").append_text(left) + right for left, right in zip(gate, dial, strict=True)]
        row = len(top)
        if top and car.lever is None:
            lines = [self._engine(car), self._hand(car), self._piles(car)]
        elif top:
            lever, hits = self._lever(car.gear, car.lever, heat, car.worths)
            lines = [lever, self._hand(car), self._piles(car)]
        else:
            lever, hits = self._lever(car.gear, car.lever, heat, car.worths)
            lines = [lever, self._engine(car), self._hand(car), self._piles(car)]
        hits = [Hit((row, first, behind, action)) for _, first, behind, action in hits]
        last = row + len(lines) - 1
        hits.append(Hit((last, 0, len(lines[-1].plain), "page('piles')")))
        self.show_lines([*top, *lines], hits)

    def _engine(self, car: Instruments) -> Text:
        gauge = Text("engine ")
        gauge.append(self.glyphs.heat_full * car.stays, _FULL)
        gauge.append(self.glyphs.heat_full * (car.engine - car.stays), DIM)
        gauge.append(self.glyphs.heat_empty * max(0, car.engine_size - car.engine), DIM)
        gauge.append(f" {car.engine} Heat", BOLD)
        if car.stays < car.engine:
            gauge.append(f" {self.glyphs.right} {car.stays} left", Style(color=GOLD, bold=True))
        return gauge

    def _hand(self, car: Instruments) -> Text:
        clog = Text("hand   ")
        clog.append(self.glyphs.shade * min(car.heat_in_hand, _MOST_SHADES), _FULL)
        clog.append(
            f" {car.heat_in_hand} dead Heat" if car.heat_in_hand else "no Heat",
            _FULL if car.heat_in_hand else DIM,
        )
        return clog.append(
            f"  {car.stress_in_hand} Stress", Style(color=VIOLET) if car.stress_in_hand else DIM
        )

    def _piles(self, car: Instruments) -> Text:
        piles = Text(f"draw {car.draw_size}  discard {car.discard_size} ")
        return piles.append(keys_of(self).told("view.piles"), _KEY).append(" look")

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
