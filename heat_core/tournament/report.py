"""What a tournament came to, as text: a rating, a cross table, and each rate with its interval as a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from heat_core.text import counted
from heat_core.tournament.races import Race, Result
from heat_core.tournament.rates import Deals, Estimate, count_deals, mean_places, rate, rate_drivers

ALL_BOARDS: Final = "all boards"

_LINE_CELLS: Final = 41
"""Of the plot of a rate: an odd number has a cell at a half."""


class PairRates(NamedTuple):
    """How often one driver finished ahead of the next one in the rating.

    Attributes:
        by_board: Under `ALL_BOARDS` that of all together, first.
    """

    ahead: str
    behind: str
    by_board: dict[str, Estimate]


class Standings(NamedTuple):
    """The races of one kind.

    Attributes:
        name: Of the kind.
        races: How many there were.
        ratings: Best first.
        places: The mean place.
        rates: (ahead, behind) -> how often, on all boards together.
        neighbours: Each two who are next to each other in the rating.
    """

    name: str
    races: int
    ratings: dict[str, Estimate]
    places: dict[str, float]
    rates: dict[tuple[str, str], Estimate]
    neighbours: list[PairRates]


def make_standings(name: str, results: Sequence[Result], boards: Iterable[str], seed: str) -> Standings:
    """Work out the standings of at least one race."""
    deals = count_deals(results)
    drivers = list(dict.fromkeys(driver for result in results for driver in result.race.drivers))
    ratings = rate_drivers(deals, sorted(drivers), seed)
    rates = {
        (ahead, behind): found
        for ahead in ratings
        for behind in ratings
        if ahead != behind and (found := rate(deals, (ahead, behind)))
    }
    neighbours = [_pair_rates(deals, boards, *pair) for pair in pairwise(ratings) if pair in rates]
    return Standings(name, len(results), ratings, mean_places(results), rates, neighbours)


def _pair_rates(deals: Deals, boards: Iterable[str], ahead: str, behind: str) -> PairRates:
    parts: dict[str, Deals] = {ALL_BOARDS: deals}
    parts |= {board: {key: deal for key, deal in deals.items() if key[0] == board} for board in boards}
    found = {name: rate(part, (ahead, behind)) for name, part in parts.items()}
    return PairRates(ahead, behind, {name: estimate for name, estimate in found.items() if estimate})


def faults_text(results: Iterable[Result]) -> Iterator[str]:
    """Say which drivers did something wrong, in how many races, and what it was in one of them."""
    faults: dict[str, list[tuple[Race, str]]] = {}
    for result in sorted(results, key=lambda result: (result.race.board, result.race.deal)):
        for seat, fault in result.faults.items():
            faults.setdefault(result.race.drivers[seat], []).append((result.race, fault))
    for driver, found in faults.items():
        race, fault = found[0]
        yield (
            f"{driver} was driven by defaults in {counted(len(found), 'race')}; "
            f"in one on {race.board}, deal {race.deal}: {fault}"
        )


def standings_text(standings: Standings) -> Iterator[str]:
    """Write standings line by line."""
    yield f"{standings.name}, {counted(standings.races, 'race')}"
    yield from _cross_table(standings)
    yield ""
    yield from _rate_lines(standings.neighbours)


def _cross_table(standings: Standings) -> Iterator[str]:
    numbers = dict(enumerate(standings.ratings, start=1))
    width = max(len(driver) for driver in standings.ratings)
    yield (
        f"    {'driver':<{width}}  rating  95 %             place"
        + "".join(f"{number:>6}." for number in numbers)
        + "  ahead of, %"
    )
    for number, driver in numbers.items():
        value, low, high = standings.ratings[driver]
        cells = [_cell(standings.rates, driver, other) for other in numbers.values()]
        yield (
            f"{number:>2}. {driver:<{width}}  {value:>+6.0f}  {f'[{low:+.0f}, {high:+.0f}]':<15}"
            f"{standings.places[driver]:>7.2f}" + "".join(f"{cell:>7}" for cell in cells)
        )


def _cell(rates: Mapping[tuple[str, str], Estimate], ahead: str, behind: str) -> str:
    found = rates.get((ahead, behind))
    return "-" if found is None else f"{100 * found.value:.1f}"


def _rate_lines(neighbours: Sequence[PairRates]) -> Iterator[str]:
    names = [name for pair in neighbours for name in pair.by_board]
    titles = [f"{pair.ahead} ahead of {pair.behind}" for pair in neighbours]
    width = max((len(word) for word in [*titles, *(f"  {name}" for name in names)]), default=0)
    axis = f"0 %{'50 %':^{_LINE_CELLS - 8}}100 %"
    for title, pair in zip(titles, neighbours, strict=True):
        yield f"{title:<{width}}  {'':>18}{axis}"
        for name, (value, low, high) in pair.by_board.items():
            numbers = f"{100 * value:5.1f} % [{100 * low:.0f}, {100 * high:.0f}]"
            yield f"{f'  {name}':<{width}}  {numbers:<18}{interval_line(Estimate(value, low, high))}"


def interval_line(estimate: Estimate, cells: int = _LINE_CELLS) -> str:
    """Draw a share in [0, 1] and its interval on a line with a mark at a half."""
    line = ["·"] * cells
    line[cells // 2] = "┊"
    value, low, high = (round(share * (cells - 1)) for share in estimate)
    line[low : high + 1] = ["─"] * (high + 1 - low)
    line[value] = "●"
    return "".join(line)
