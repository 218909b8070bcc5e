"""The page docs/growth.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tests.growth.fit import Fit, Point, fit
from tests.growth.measure import Figures
from tests.growth.server import Crowd, Load
from tests.markdown import paragraph, table

EVENTS_PICTURE: Final = "growth-events.svg"
ENGINE_PICTURE: Final = "growth-engine.svg"
SERVER_PICTURE: Final = "growth-server.svg"


class Series(NamedTuple):
    """Something that must not grow with the events so far.

    Attributes:
        name: With its unit, for people.
        points: Over the events so far.
        digits: Behind the point.
    """

    name: str
    points: Sequence[Point]
    digits: int


def series(figures: Figures) -> list[Series]:
    """List all that is held against the events so far."""
    steps = figures.counts
    return [
        Series("engine: a decision, µs", figures.engine, 1),
        Series("table: a command with view and events of one seat, µs", figures.table, 1),
        Series("server: processor time of a command, ms", figures.server, 2),
        Series("server: sent for a command, bytes", [(step.events, step.sent_bytes) for step in steps], 0),
        Series("server: written for it, rows", [(step.events, step.rows) for step in steps], 2),
        Series("server: events in them, bytes", [(step.events, step.row_bytes) for step in steps], 0),
        Series("server: functions called for it", [(step.events, step.calls) for step in steps], 0),
    ]


def page(figures: Figures, machine: str) -> str:
    """Write the page.

    Args:
        machine: What it was measured on.
    """
    head = [
        "# How it grows",
        paragraph(
            "`make growth` measures these figures and writes this page. Times are processor time, so",
            f"that other work of the machine counts little, but not nothing. Machine: {machine}.",
        ),
    ]
    return "\n\n".join([*head, *_events(figures), *_engine(figures), *_server(figures)]) + "\n"


def _events(figures: Figures) -> list[str]:
    rows = [_series_row(each, fit(each.points)) for each in series(figures)]
    reads = sum(step.reads for step in figures.counts)
    notes = [
        paragraph(
            "- Engine and table take the commands of steady bots in races of eight cars over four",
            "laps, until a car has finished; the server, with 20 rooms of eight, those of clients",
            "that answer by the defaults.",
        ),
        paragraph(
            "- The counts are of one race in memory, of people and a spectator. The store was read",
            f"{reads} times in it.",
        ),
        paragraph(
            f"- The log grows: a table keeps about {figures.log_bytes:.0f} bytes for each event, and",
            "the store each event once. Records, and races that continue after a restart, are made",
            "from it.",
        ),
        paragraph(
            "- Once each, these take time by the events so far: a sleeping room that wakes repeats",
            "its race, and somebody who has nothing of the race yet is sent its events, if there are",
            "more than 3,000 the newest.",
        ),
    ]
    return [
        "## Length of a race",
        paragraph(
            "Nothing that is done for a command may grow with the events so far. A straight line is",
            "laid through each series. Its change from the first event to the last is given in % of",
            "the mean, with the interval that holds the true change in 95 of 100 runs. Something that",
            "grew from nothing in proportion to the events would change by 200 %.",
        ),
        table(["what", "events", "mean", "change", "interval"], rows),
        f"![Time for a command over the events so far](pictures/{EVENTS_PICTURE})",
        "\n".join(notes),
    ]


def _series_row(each: Series, line: Fit) -> list[str]:
    return [
        each.name,
        f"{line.last:,.0f}",
        f"{line.mean:,.{each.digits}f}",
        f"{100 * line.change:+.1f} %",
        f"{100 * line.low:+.1f} to {100 * line.high:+.1f} %",
    ]


def _engine(figures: Figures) -> list[str]:
    return [
        "## Cars and laps",
        paragraph(
            "The engine's work for a decision of steady bots, USA: make the choice, check the",
            "command, take it. Two laps where cars vary, six cars where laps do.",
        ),
        table(["cars", "µs a decision"], [[str(n), f"{time:.1f}"] for n, time in figures.cars.items()]),
        table(["laps", "µs a decision"], [[str(n), f"{time:.1f}"] for n, time in figures.laps.items()]),
        f"![Time for a decision by cars and laps](pictures/{ENGINE_PICTURE})",
    ]


def _server(figures: Figures) -> list[str]:
    result = [
        "## Rooms, seats and spectators",
        paragraph(
            "A server with its store; all clients, in one process beside it, answer as soon as they are",
            "asked. Each command is told to everybody in its room. Memory is what the server holds more",
            "than before they came: when all sit in their lobbies, and after some seconds of racing, with",
            "what each client then takes. The first race loads some of it, whoever races.",
        ),
        paragraph(
            "Commands a second are limited by that one process of clients and by what else the machine",
            "does: compare them only with each other. What a command costs the server is its time.",
        ),
    ]
    headings = [
        "rooms",
        "seats",
        "spectators",
        "commands/s",
        "ms a command",
        "MiB seated",
        "MiB",
        "KiB a client",
    ]
    for name, loads in figures.loads.items():
        result += [f"By {name}:", table(headings, [_load_row(crowd, load) for crowd, load in loads])]
    return [*result, f"![Time for a command by rooms, seats and spectators](pictures/{SERVER_PICTURE})"]


def _load_row(crowd: Crowd, load: Load) -> list[str]:
    clients = crowd.rooms * (crowd.seats + crowd.watchers)
    return [
        str(crowd.rooms),
        str(crowd.seats),
        str(crowd.watchers),
        f"{load.per_second:,.0f}",
        f"{load.milliseconds:.2f}",
        f"{load.seated_mebibytes:.1f}",
        f"{load.mebibytes:.1f}",
        f"{load.mebibytes * 1024 / clients:.0f}",
    ]
