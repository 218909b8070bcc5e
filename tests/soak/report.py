"""A soak's figures as tables, with bars that a terminal can draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from heat_core.files import track_names
from heat_core.race.presets import PRESETS
from tests.soak.tally import KINDS, MOST_CARS, Tally, mean, quantile

BAR_CELLS = 50
CLASS_ROUNDS = 4
_EIGHTHS = " ▏▎▍▌▋▊▉"


def report(total: Tally, seconds: float) -> Group:
    """Make the whole report."""
    held = total.races - len(total.faults)
    head = Text(
        f"{held} of {total.races} races held in {seconds:.0f} s, seed {total.seed!r}\n"
        f"{total.with_modules} of them with garage, weather, Sponsorships or an event\n"
        f"{total.decisions:,} decisions of bots, {total.events:,} events\n"
        f"every record was folded, {total.verified} were dealt anew\n"
    )
    parts: list[RenderableType] = [head]
    if held:
        parts += [round_table(total), places_table(total), doings_table(total), spin_out_table(total)]
        parts += [round_bars(total, preset) for preset in PRESETS]
    return Group(*parts)


def _table(title: str, first: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0)
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def round_table(total: Tally) -> Table:
    """How many rounds a race took, by track, laps and preset."""
    headings = [
        heading
        for preset in PRESETS
        for heading in (f"{preset}\nraces", "\nleast", "\nhalf", "\n9/10", "\nmost")
    ]
    table = _table("Rounds of a race", "\ntrack, laps", *headings)
    for track in track_names():
        for laps in sorted({its_laps for its_track, _, its_laps in total.rounds if its_track == track}):
            row = [f"{track}, {laps}"]
            for preset in PRESETS:
                counts = total.rounds_of(track=track, preset=preset, laps=laps)
                row += [str(counts.total()), *_spread(counts)]
            table.add_row(*row)
    return table


def _spread(counts: Counter[int]) -> Sequence[str]:
    return [str(quantile(counts, share)) if counts else "" for share in (0, 0.5, 0.9, 1)]


def places_table(total: Tally) -> Table:
    """Which places each kind of driver took."""
    headings = [f"{place}." for place in range(1, MOST_CARS + 1)]
    table = _table(
        "Places, in % of the cars of a kind", "driver", "cars", *headings, "last", "wins/chance", "beaten"
    )
    for name in KINDS:
        kind = total.kinds[name]
        if not kind.cars:
            continue
        table.add_row(
            name,
            str(kind.cars),
            *(f"{100 * kind.places[place] / kind.cars:.0f}" for place in range(1, MOST_CARS + 1)),
            f"{100 * kind.lasts / kind.cars:.0f}",
            f"{kind.places[1] / kind.by_chance:.2f}",
            f"{100 * kind.beaten / kind.cars:.0f} %",
        )
    return table


def doings_table(total: Tally) -> Table:
    """What each kind of seat does in a race."""
    table = _table("A seat's race, on average", "driver", "spin-outs", "Heat paid", "slipstreams", "gave up")
    for name in KINDS:
        kind = total.kinds[name]
        if kind.cars and not name.startswith("Legend"):
            table.add_row(
                name,
                f"{mean(kind.spin_outs):.2f}",
                f"{kind.heat_paid / kind.cars:.2f}",
                f"{kind.slipstreams / kind.cars:.2f}",
                f"{100 * kind.gave_up / kind.cars:.1f} %",
            )
    return table


def spin_out_table(total: Tally) -> Table:
    """How often a seat spins out in a race."""
    table = _table("Spin-outs of a seat in a race, in % of the seats", "spin-outs", *KINDS[:2])
    most = max(max(total.kinds[name].spin_outs, default=0) for name in KINDS[:2])
    for number in range(min(most, 10) + 1):
        row = []
        for name in KINDS[:2]:
            counts = total.kinds[name].spin_outs
            hits = counts[number] if number < 10 else sum(n for value, n in counts.items() if value >= 10)
            row.append(f"{100 * hits / max(1, counts.total()):.1f}")
        table.add_row(f"{number}" if number < 10 else "10 and more", *row)
    return table


def bar(share: float, cells: int = BAR_CELLS) -> str:
    """Draw a share in [0, 1] as a bar, to an eighth of a cell."""
    eighths = round(share * cells * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def round_bars(total: Tally, preset: str) -> Table:
    """Draw the distribution of rounds over all races by a preset's rules, in classes."""
    table = Table(
        title=f"Rounds, {preset} rules", title_justify="left", title_style="bold", show_header=False, box=None
    )
    counts: Counter[int] = Counter()
    for rounds, count in total.rounds_of(preset=preset).items():
        counts[rounds // CLASS_ROUNDS] += count
    most = max(counts.values(), default=1)
    for number in range(min(counts, default=0), max(counts, default=-1) + 1):
        first = number * CLASS_ROUNDS
        table.add_row(
            f"{first:>3} to {first + CLASS_ROUNDS - 1}", f"{counts[number]:>5}", bar(counts[number] / most)
        )
    return table


def as_text(content: RenderableType) -> str:
    """Give what would be printed as plain text, for a file."""
    file = StringIO()
    Console(width=100, color_system=None, file=file).print(content)
    return file.getvalue()
