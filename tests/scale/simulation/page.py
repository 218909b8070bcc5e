"""The section "100,000 rooms on 50 servers" of docs/scale.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from heat_core.text import counted
from tests.markdown import paragraph, table
from tests.scale.simulation import scenarios as s
from tests.scale.simulation.conclusions import what_limits, what_to_set
from tests.scale.simulation.parameters import FAIR_SHARES, FIRST_TAKES_ALL, UNMENDED, Costs, People
from tests.scale.simulation.parameters import table as figures
from tests.scale.simulation.pictures import (
    DATABASE_PICTURE,
    HERD_PICTURE,
    ROLLING_PICTURE,
    SIZES_PICTURE,
    TEN_PICTURE,
)
from tests.scale.simulation.study import SERVERS, Result, Steady, Study, Times
from tests.scale.simulation.validation import Case, Modelled

_MOST_SECONDS: Final = 100.0


def section(study: Study) -> str:
    """Write the section."""
    parts = [
        "## 100,000 rooms on 50 servers",
        *_head(),
        "### What happens",
        *_happenings(study.results),
        "### At rest",
        *_rest(study.steady),
        "### What limits",
        *what_limits(study),
        "### What to set",
        *what_to_set(study),
        "### Compared with real runs",
        *_validation(study.modelled),
        "### What goes into the simulation",
        *_figures(),
        "### What it leaves out",
        *_limits(),
    ]
    return "\n\n".join(parts) + "\n"


def _head() -> Iterable[str]:
    people = People()
    racing = round(people.rooms * people.racing)
    yield paragraph(
        "`make scale` simulates this and writes this section; the same seed gives the same numbers.",
        f"{SERVERS} servers share one database. Of {people.rooms:,} open rooms {racing:,} race, with",
        f"{people.drivers} people in each; the others sleep. Each person sends a command every",
        f"{people.turn:g} seconds.",
    )
    yield paragraph(
        "Leases, rounds, take-overs, waking rooms and each person's way back are events. Which server a",
        "client tries and how long it pauses is decided by the client's own code, which runs in the",
        "simulation. Commands come at a steady rate. The database and the servers are queues for their",
        "processors.",
    )
    yield "\n".join(
        [
            paragraph(
                f"- **{FAIR_SHARES.name}:** how servers work now. Each takes its share, and also each",
                "room that a player asks it for. Rows and lines that name none of the three show this one.",
            ),
            paragraph(
                f"- **{FIRST_TAKES_ALL.name}:** for comparison: the first server to look takes over",
                "everything, with the statements of today, which look only at free rooms.",
            ),
            paragraph(
                f"- **{UNMENDED.name}:** leases as they first were: each server looked at all open rooms",
                "every two seconds, and the first to look took over everything.",
            ),
        ]
    )


def _happenings(results: Sequence[Result]) -> Iterable[str]:
    yield table(
        [
            "what happens",
            "take-over",
            "runs",
            "rooms",
            "owned again s",
            "people",
            "away s",
            "not back",
            "answer s",
            "database",
            "server",
        ],
        _rows(results),
    )
    yield paragraph(
        "Owned again, away: the median, the 99th percentile and the last, in seconds. Not back: people",
        "who had not come back when the simulation ended. Answer: the slowest answer of any server.",
        "Database, server: the most work that arrived within a quarter of a second, in % of what the",
        "processors can do; what exceeds 100 % waits. A person can be away more than once. Where there",
        "are several runs, median and percentile are the middle ones of all runs, and the other results",
        "are the worst.",
    )
    yield f"![People and load of the database after one server is killed](pictures/{HERD_PICTURE})"
    yield f"![People, answers and connections after ten servers are killed](pictures/{TEN_PICTURE})"
    yield f"![The fullest server and people while servers restart](pictures/{ROLLING_PICTURE})"
    yield f"![Answers while the database is away or slow](pictures/{DATABASE_PICTURE})"


def _rows(results: Sequence[Result]) -> list[list[str]]:
    """Make a row for each scenario: how servers work now comes first, what it is compared with at the end."""
    all_runs: dict[tuple[str, str], list[Result]] = {}
    for one in results:
        all_runs.setdefault((one.run.plan, one.run.scenario), []).append(one)
    plans = (FAIR_SHARES.name, FIRST_TAKES_ALL.name, UNMENDED.name)
    wanted = [(plan, scenario.name) for plan in plans for scenario in s.SCENARIOS]
    return [_row(all_runs[which]) for which in wanted if which in all_runs]


def _row(runs: Sequence[Result]) -> list[str]:
    first = runs[0]
    return [
        first.run.scenario,
        first.run.plan,
        str(len(runs)),
        f"{first.rooms.number:,}",
        _times([run.rooms for run in runs]),
        f"{first.people.number:,}",
        _times([run.people for run in runs]),
        f"{max(run.missing for run in runs):,}",
        _seconds(max(run.answer for run in runs)),
        _percent(max(run.database for run in runs)),
        _percent(max(run.processor for run in runs)),
    ]


def _times(times: Sequence[Times]) -> str:
    if not times[0].number:
        return "-"
    medians = [_middle([one.median for one in times]), _middle([one.slow for one in times])]
    return " / ".join(f"{value:.1f}" for value in (*medians, max(one.last for one in times)))


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def _seconds(value: float) -> str:
    return f"over {_MOST_SECONDS:.0f}" if value > _MOST_SECONDS else f"{value:.2f}"


def _percent(share: float) -> str:
    return f"{100 * share:,.0f} %"


def _rest(steady: Sequence[Steady]) -> Iterable[str]:
    rows = [
        [
            f"{one.size.servers}" + ("" if one.size.plan == FAIR_SHARES.name else f", {one.size.plan}"),
            f"{one.size.rooms:,}",
            f"{one.commands:,.0f}",
            f"{one.commits:,.0f}",
            f"{one.rounds:,.0f}",
            _percent(one.database),
            _percent(one.processor),
            f"{1000 * one.answer:,.0f}",
            str(one.late_renewals),
        ]
        for one in steady
    ]
    headings = ["servers", "rooms", "commands/s", "commits/s", "rounds/s", "database", "server", "answer ms"]
    yield table([*headings, "late renewals"], rows)
    yield paragraph(
        "Nothing fails here: this is what people's commands and the servers' leases cost. Database: how",
        f"busy its {Costs().cores} cores are; server: how busy a server's one core is. Rounds: statements by",
        "which servers renew their leases, and look for other servers and for free rooms. Their number",
        "depends on the number of servers only. Late renewals: those within 20 seconds that came after the",
        "lease had run out.",
    )
    yield f"![Load of the database and of a server by rooms](pictures/{SIZES_PICTURE})"


def _validation(modelled: Sequence[Modelled]) -> Iterable[str]:
    yield paragraph(
        "The same model with the servers, rooms and people of real runs, 20 times each. In the real runs",
        "servers, database and clients shared two cores. So all work in the model is slowed down by as many",
        "programs as a core had.",
    )
    rows = [
        [
            _case(one.case),
            f"{one.case.half_back:.2f}",
            _spread(one.half_back),
            f"{one.case.back:.2f}",
            _spread(one.back),
        ]
        for one in modelled
    ]
    yield table(["real run", "half back s", "model", "all back s", "model"], rows)
    outside = max(
        max(real / most, least / real)
        for one in modelled
        for real, (least, _, most) in ((one.case.half_back, one.half_back), (one.case.back, one.back))
    )
    yield paragraph(
        "Model: the shortest, the median and the longest time of its runs.",
        "All real times lie between the shortest and the longest."
        if outside <= 1
        else f"No real time is outside that range by more than a factor of {outside:.2f}.",
    )


def _case(case: Case) -> str:
    rooms = counted(case.rooms, "room")
    return f"{case.servers} servers, {rooms} of {case.seats} people, one {case.end}"


def _spread(values: tuple[float, float, float]) -> str:
    return " / ".join(f"{value:.2f}" for value in values)


def _figures() -> Iterable[str]:
    yield paragraph("Times are processor time, unless the value says *of time*: those pass by the clock.")
    yield table(["figure", "value", "from"], [list(row) for row in figures(Costs(), People())])


def _limits() -> Iterable[str]:
    yield "\n".join(
        [
            paragraph(
                "- Costs were measured on a small machine that other programs used, some in an earlier",
                "run than that of the tables above. They differ on another machine. Trust the",
                "proportions more than the seconds.",
            ),
            paragraph(
                "- Cores and disk of the database, its network and the people's habits are assumptions.",
                "The disk costs a fixed time for each commit; locks, vacuum and memory are not simulated.",
            ),
            paragraph(
                "- Limits of connections and rooms of a server, and those of an address, are left out:",
                "a fleet must set them so that the servers that are left can take everybody.",
            ),
            paragraph(
                "- A database that is away for longer than six seconds, cut networks and frozen servers",
                "are not simulated: they are tested with real servers.",
            ),
            "- New rooms, chat, spectators and people who come back to sleeping rooms are left out.",
        ]
    )
