"""The pictures of docs/growth.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heat_core.charts import Sheet, points
from tests.growth.fit import blocks, fit
from tests.growth.measure import Figures
from tests.growth.report import ENGINE_PICTURE, EVENTS_PICTURE, SERVER_PICTURE, series
from tests.growth.server import Crowd

_DOTS: Final = 120


def pictures(figures: Figures) -> Iterator[tuple[str, str]]:
    """Draw the pictures: file name and SVG of each."""
    yield EVENTS_PICTURE, _events(figures)
    sheet = Sheet()
    for name, times in (("cars", figures.cars), ("laps", figures.laps)):
        sheet.title(f"Engine: µs a decision, by {name}")
        points(sheet, list(times.items()), along=name)
    yield ENGINE_PICTURE, sheet.svg()
    yield SERVER_PICTURE, _server(figures)


def _events(figures: Figures) -> str:
    sheet = Sheet()
    for each in series(figures):
        line = fit(each.points)
        ends = ((line.first, line.at(line.first)), (line.last, line.at(line.last)))
        sheet.title(each.name[0].upper() + each.name[1:])
        points(sheet, blocks(sorted(each.points), _DOTS), ends, along="events so far")
    return sheet.svg()


def _server(figures: Figures) -> str:
    sheet = Sheet()
    for name, loads in figures.loads.items():
        sheet.title(f"Server: ms of processor time a command, by {name}")
        points(sheet, [(_number(crowd, name), load.milliseconds) for crowd, load in loads], along=name)
        sheet.title(f"Server: memory in MiB, by {name}")
        points(sheet, [(_number(crowd, name), load.mebibytes) for crowd, load in loads], along=name)
    return sheet.svg()


def _number(crowd: Crowd, name: str) -> int:
    """Give that of a crowd which varies."""
    return {"rooms": crowd.rooms, "seats": crowd.seats, "spectators": crowd.watchers}[name]
