"""Gear lever, engine, and what is in the piles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_core.cards import CATALOGUE, HEAT, STRESS, CardName
from heat_tui.flow.instruments import Instruments
from heat_tui.keys.bindings import keys_of
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import BOLD, DIM, GOLD, GREEN, RED, VIOLET
from heat_tui.widgets.cards import card_paper, has_words
from heat_tui.widgets.instruments import ROWS, TALL_ROWS, engine_dial, gear_cells, gear_gate
from heat_tui.widgets.panel import TextPanel

_COST: Final = 4
"""Cells for what a gear costs: `free`, or Heat as the gauge shows it."""
_ROOMY_CELLS: Final = 37
"""From this width on a blank keeps a cost from the next gear."""
_MOST_SHADES: Final = 3
_BESIDE_CELLS: Final = 80
"""From this width on the words stand beside the pictures."""
_FULL = Style(color=RED, bold=True)
_KEY = Style(color=GOLD, bold=True)


class Dashboard(TextPanel):
    """What the driver reads off the car: gear, Heat in the engine and in the hand, the piles.

    Where there is room, gate and dial are pictures; where there is more, they are large, and the words beside
    them say what is in the draw pile, too.
    """

    def show_car(self, car: Instruments) -> None:
        """Draw the instruments."""
        self.show_fitting(partial(self._draw_car, car))

    def _draw_car(self, car: Instruments) -> None:
        chosen = f"gear({car.lever})"
        if not self.has_pictures or self.size.height <= ROWS + 2:
            self.show_lines(*self._words(car, is_whole=True), chosen)
            return
        is_beside = self.size.width >= _BESIDE_CELLS and self.size.height > TALL_ROWS
        rows = TALL_ROWS if is_beside else ROWS
        gate = gear_gate(car.gear, car.lever, frozenset(option.gear for option in car.options), rows)
        dial = engine_dial(car.engine, car.stays, car.engine_size, rows)
        pictures = [Text(" ").append_text(left) + right for left, right in zip(gate, dial, strict=True)]
        lines, hits = self._words(car, is_whole=is_beside and car.lever is not None)
        slots = _slots(rows) if car.lever is not None else []
        if not is_beside:
            self.show_lines([*pictures, *lines], [*slots, *(_moved(hit, rows, 0) for hit in hits)], chosen)
            return
        about_the_pile = self._draw_pile(car, self.size.width - pictures[0].cell_len - 2)
        if len(lines) + len(about_the_pile) < self.size.height - 1:
            lines.append(Text())
        lines += about_the_pile
        columns = pictures[0].cell_len + 2
        pictures += [Text(" " * (columns - 2))] * (len(lines) - rows)
        beside = [
            picture + Text("  ") + (lines[row] if row < len(lines) else Text())
            for row, picture in enumerate(pictures)
        ]
        self.show_lines(
            [Text(), *beside],
            [*(_moved(hit, 1, 0) for hit in slots), *(_moved(hit, 1, columns) for hit in hits)],
            chosen,
        )

    def _words(self, car: Instruments, *, is_whole: bool) -> tuple[list[Text], list[Hit]]:
        """Write what the instruments say, the piles last; beside a gate and a dial, what these leave out.

        Args:
            car: What is read off.
            is_whole: Whether there is room for the lever and the gauge of the engine.
        """
        hits: list[Hit] = []
        lines: list[Text] = []
        if is_whole or car.lever is not None:
            lever, hits = self._lever(car)
            lines += lever
        if is_whole or car.lever is None:
            lines.append(self._engine(car))
        lines += [self._hand(car), self._piles(car)]
        hits.append(Hit((len(lines) - 1, 0, len(lines[-1].plain), "page('piles')")))
        return lines, hits

    def _draw_pile(self, car: Instruments, width: int) -> list[Text]:
        """Say what is in the draw pile, kind by kind, and what a flip is worth."""
        if not car.draw_pile:
            return [Text("the draw pile is empty", DIM)]
        lines = [Text("in the draw pile", DIM), *_chips_of(car.draw_pile, width)]
        if car.mean_flip:
            flip = Text("a flip is worth ", DIM).append(f"{car.mean_flip:.1f}", BOLD)
            lines.append(flip.append(" on average", DIM))
        return lines

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
        piles = Text(f"draw {len(car.draw_pile)}  discard {car.discard_size} ")
        return piles.append(keys_of(self).told("view.piles"), _KEY).append(" look")

    def _lever(self, car: Instruments) -> tuple[list[Text], list[Hit]]:
        """Draw the gears; while the lever is live, behind each one within reach what it costs.

        Advice has a line of its own below: what each gear is worth.
        """
        line, advice = Text("gear "), Text("     ")
        heat = {option.gear: option.heat for option in car.options}
        hits: list[Hit] = []
        blank = " " if self.size.width >= _ROOMY_CELLS else ""
        for number in range(1, 5):
            is_here = number == (car.gear if car.lever is None else car.lever)
            first = len(line.plain)
            if is_here:
                line.append(f"{self.glyphs.left}{number}{self.glyphs.right}", Style(bold=True, reverse=True))
            else:
                is_live = car.lever is not None and number in heat
                line.append(f"{blank}{number} ", Style(bold=is_live, dim=not is_live))
            cost = heat.get(number) if car.lever is not None else None
            told = "" if cost is None else f"{cost}{self.glyphs.heat_full}" if cost else "free"
            line.append(f"{told:<{_COST}} ", _FULL if cost else Style(color=GREEN))
            worth = f" {car.worths.get(number, '')}"
            advice.append(f"{worth:<{line.cell_len - advice.cell_len}}", Style(color=GREEN))
            hits.append(Hit((0, first, line.cell_len, f"gear({number})")))
        line.rstrip()
        return [line, advice] if car.worths else [line], hits


def _slots(rows: int) -> list[Hit]:
    """Give what a click on the gate picks: a gear by its number or beside it."""
    margin = 1  # before the picture
    return [
        Hit((row, margin + column - 1, margin + column + 2, f"gear({gear})"))
        for gear, (column, row) in gear_cells(rows).items()
    ]


def _moved(hit: Hit, rows: int, columns: int) -> Hit:
    row, first, behind, action = hit
    return Hit((row + rows, first + columns, behind + columns, action))


def _chips_of(cards: Sequence[CardName], width: int) -> list[Text]:
    """Draw each kind of card as a chip, with how many there are; those known by their words together."""
    lines = [Text()]
    kinds: dict[str, list[CardName]] = {}
    for card in sorted(cards):
        kinds.setdefault(_chip_label(card), []).append(card)
    for label, alike in kinds.items():
        count = f"×{len(alike)} " if len(alike) > 1 else " "
        chip = Text.assemble((f" {label} ", card_paper(alike[0]) + BOLD), count)
        if lines[-1].cell_len + chip.cell_len > width:
            lines.append(Text())
        lines[-1].append_text(chip)
    return lines


def _chip_label(card: CardName) -> str:
    if has_words(card):
        return {"upgrade": "upgrade", "sponsorship": "sponsor"}[CATALOGUE[card].kind]
    if card in (HEAT, STRESS):
        return "H" if card == HEAT else "S"
    return card.replace("start-", "+")
