"""The pictures of the section "100,000 rooms on 50 servers"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import floor, inf, log10
from typing import Final

from heat_core.charts import MARGIN, WIDTH, Sheet
from tests.scale.simulation import scenarios as s
from tests.scale.simulation.parameters import FAIR_SHARES, FIRST_TAKES_ALL, UNMENDED
from tests.scale.simulation.study import SERVERS, Result, Study
from tests.scale.simulation.world import Moment

HERD_PICTURE: Final = "scale-herd.svg"
TEN_PICTURE: Final = "scale-ten-servers.svg"
ROLLING_PICTURE: Final = "scale-rolling.svg"
DATABASE_PICTURE: Final = "scale-database.svg"
SIZES_PICTURE: Final = "scale-sizes.svg"

FIRST_SECONDS: Final = 20.0
"""After the end of a server; later nothing happens any more."""

_COLOURS: Final = ("#2f6f9f", "#d98032", "#5b9a5f", "#7a5195")
_HEIGHT: Final = 110.0
_STEPS: Final = 4

Points = Sequence[tuple[float, float]]


def pictures(study: Study) -> Iterator[tuple[str, str]]:
    """Draw the pictures: file name and SVG of each."""
    plans = (UNMENDED.name, FIRST_TAKES_ALL.name, FAIR_SHARES.name)
    yield HERD_PICTURE, _herd({plan: _found(study, s.ONE_DIES.name, plan) for plan in plans})
    both = plans[1:]
    yield TEN_PICTURE, _ten({plan: _found(study, s.TEN_DIE.name, plan) for plan in both})
    restarts = (s.ROLLING, s.ALL_RESTART, s.DRAINED)
    yield ROLLING_PICTURE, _rolling([_found(study, one.name, FAIR_SHARES.name) for one in restarts])
    slow = (s.RESTART, s.SLOW)
    yield DATABASE_PICTURE, _database([_found(study, one.name, FAIR_SHARES.name) for one in slow])
    yield SIZES_PICTURE, _sizes(study)


def _found(study: Study, scenario: str, plan: str) -> Result:
    return next(one for one in study.results if (one.run.scenario, one.run.plan) == (scenario, plan))


def _over_time(result: Result, of: Callable[[Moment], float], seconds: float = inf) -> Points:
    return [(moment.at, of(moment)) for moment in result.moments if moment.at <= seconds]


def _away(moment: Moment) -> float:
    return 100 * (1 - moment.playing)


def _herd(results: Mapping[str, Result]) -> str:
    """One server is killed: who is away, and what the database has to do."""
    sheet = Sheet()
    end = min(result.moments[-1].at for result in results.values())
    for title, left_out in (
        ("One of 50 servers is killed: people away from their races, %", FIRST_TAKES_ALL.name),
        ("The same with the statements of today, the first seconds", UNMENDED.name),
    ):
        sheet.title(title)
        rows = {name: result for name, result in results.items() if name != left_out}
        seconds = end if UNMENDED.name in rows else FIRST_SECONDS
        lines(
            sheet,
            {name: _over_time(result, _away, seconds) for name, result in rows.items()},
            along="seconds",
        )
    sheet.title("Database: what comes in, in % of what its cores can do (cut at 200)")
    lines(
        sheet,
        {
            name: _over_time(result, lambda m: min(200.0, 100 * m.database), end)
            for name, result in results.items()
        },
        along="seconds",
    )
    return sheet.svg()


def _ten(results: Mapping[str, Result]) -> str:
    """Ten servers are killed, the first seconds of it."""
    charts: tuple[tuple[str, Callable[[Moment], float]], ...] = (
        ("Ten of 50 servers are killed: people away from their races, %", _away),
        ("Longest time of an answer at any server, seconds", lambda m: m.answer),
        ("Connections a second at the server to which most come", lambda m: m.hellos),
    )
    sheet = Sheet()
    for title, of in charts:
        sheet.title(title)
        rows = {name: _over_time(result, of, FIRST_SECONDS) for name, result in results.items()}
        lines(sheet, rows, along="seconds")
    return sheet.svg()


def _rolling(results: Sequence[Result]) -> str:
    sheet = Sheet()
    sheet.title("Servers restart one after another: people away from their races, %")
    lines(sheet, {one.run.scenario: _over_time(one, _away) for one in results}, along="seconds")
    sheet.title("Rooms of the fullest server, in times of the mean")
    lines(sheet, {one.run.scenario: _over_time(one, lambda m: m.rooms) for one in results}, along="seconds")
    return sheet.svg()


def _database(results: Sequence[Result]) -> str:
    sheet = Sheet()
    sheet.title("The database is away or slow: longest time of an answer, seconds")
    lines(sheet, {one.run.scenario: _over_time(one, lambda m: m.answer) for one in results}, along="seconds")
    return sheet.svg()


def _sizes(study: Study) -> str:
    sheet = Sheet()
    fair = [one for one in study.steady if one.size.plan == FAIR_SHARES.name]
    servers = sorted({one.size.servers for one in fair})
    sheet.title("At rest: share of the database's cores that work, %")
    rows = {
        f"{count} servers": [
            (one.size.rooms, 100 * one.database) for one in fair if one.size.servers == count
        ]
        for count in servers
    }
    before = [one for one in study.steady if one.size.plan == UNMENDED.name]
    rows[f"{SERVERS} servers, {UNMENDED.name}"] = [(one.size.rooms, 100 * one.database) for one in before]
    lines(sheet, dict(list(rows.items())[-4:]), along="rooms")
    sheet.title("At rest: share of its processor that a server needs, %")
    rows = {
        f"{count} servers": [
            (one.size.rooms, 100 * one.processor) for one in fair if one.size.servers == count
        ]
        for count in servers
    }
    lines(sheet, rows, along="rooms")
    return sheet.svg()


def lines(sheet: Sheet, series: Mapping[str, Points], *, along: str) -> None:
    """Draw a line for each of some series above two scales that begin at 0.

    Args:
        series: Name -> x and y, at most four.
        along: What x is.
    """
    sheet.legend(list(series), _COLOURS)
    width = WIDTH - 2 * MARGIN
    base = sheet.y + _HEIGHT
    x_most = _round_above(max(x for values in series.values() for x, _ in values))
    y_most = _round_above(max(y for values in series.values() for _, y in values))

    def place(x: float, y: float) -> tuple[float, float]:
        return MARGIN + width * x / x_most, base - _HEIGHT * y / y_most

    for number in range(_STEPS + 1):
        x, y = place(number * x_most / _STEPS, number * y_most / _STEPS)
        sheet.line(MARGIN, y, MARGIN + width, y)
        sheet.text(MARGIN - 6, y + 4, f"{number * y_most / _STEPS:,g}", anchor="end", size=10)
        sheet.text(x, base + 14, f"{number * x_most / _STEPS:,g}", anchor="middle", size=10)
    sheet.text(MARGIN + width / 2, base + 29, along, anchor="middle", size=10)
    for colour, values in zip(_COLOURS, series.values(), strict=False):
        sheet.curve((place(*value) for value in values), colour)
    sheet.y = base + 33


def _round_above(value: float) -> float:
    """Give the next number above that can be divided by four and read."""
    if value <= 0:
        return 1.0
    size = 10.0 ** floor(log10(value))
    return next(
        step * size for step in (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10) if step * size >= value * 0.999
    )
