"""The section "One, two, three servers" of docs/scale.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tests.markdown import paragraph, table
from tests.scale.load.costs import cost
from tests.scale.load.figures import Figures
from tests.scale.load.racing import Crowd, Raced
from tests.scale.load.taking_over import TakeOver

RACING_PICTURE: Final = "scale-racing.svg"
RESTING_PICTURE: Final = "scale-resting.svg"
TAKING_OVER_PICTURE: Final = "scale-taking-over.svg"

_KIBIBYTE: Final = 1024


def section(figures: Figures) -> str:
    """Write the section, its heading first."""
    parts = [
        "## One, two, three servers",
        paragraph(
            "`python -m tests.scale.load` measures these figures and writes this section. Real servers",
            "share one PostgreSQL with its usual settings, on a real disk. Scripted clients in one process",
            f"race in rooms of six. Machine: {figures.machine}; {figures.at} UTC.",
        ),
        paragraph(
            "Servers, database and clients share the cores of one machine, so more servers do not do more",
            "here. Do not plan a fleet by the commands a second at full speed: plan by the processor time of",
            "a command and of a commit.",
        ),
        *([paragraph(figures.note)] if figures.note else []),
        *_racing(figures),
        *_store(figures),
        *_resting(figures),
        *_taking_over(figures),
    ]
    return "\n\n".join(parts) + "\n"


def servers(crowd: Crowd) -> str:
    """Say how many servers a crowd has."""
    return f"{crowd.servers}" if crowd.servers else "1, SQLite"


def rate(crowd: Crowd) -> str:
    """Say how quick a crowd is."""
    return "full speed" if crowd.per_second is None else f"{crowd.per_second:,.0f}/s"


def ending(what: TakeOver) -> str:
    """Say which server ends, and how."""
    asleep = "" if what.seats else ", asleep"
    return f"1 of {what.servers} {what.end}, {what.rooms:,} rooms{asleep}"


def _racing(figures: Figures) -> Iterable[str]:
    yield "### A command"
    yield table(
        [
            "servers",
            "rate",
            "commands/s",
            "server ms",
            "database ms",
            "client ms",
            "median ms",
            "99 % ms",
            "load",
        ],
        [
            [
                servers(raced.crowd),
                rate(raced.crowd),
                f"{raced.per_second:,.0f}",
                f"{raced.server_ms:.2f}",
                f"{raced.database_ms:.2f}" if raced.crowd.servers else "-",
                f"{raced.clients_ms:.2f}",
                f"{raced.median_ms:.1f}",
                f"{raced.slow_ms:.1f}",
                f"{raced.load:.0f}",
            ]
            for raced in figures.raced
        ],
    )
    yield paragraph(
        "Rate: how many commands the clients send; at full speed each sends the next one at once. Server,",
        "database, client: processor time for each command, of all their processes together. Median and",
        "99 %: the time from a command to its answer, as a client sees it. Load: the machine's load average",
        "of one minute, with all other programs. Of several rounds, the one with the least load is shown.",
    )
    yield f"![Processor time and commits a command by servers](pictures/{RACING_PICTURE})"
    yield table(
        ["servers", "rate", "commits/s", "commands a commit", "log KB/s", "log bytes a command", "disk ms"],
        [_commit_row(raced) for raced in figures.raced if raced.crowd.servers],
    )
    yield paragraph(
        "Commits: transactions that wrote, renewals of leases included (one every two seconds for each",
        "server). Log: PostgreSQL's write-ahead log. Disk: how long the database waited for its disk, each",
        "time.",
    )
    yield _costs(figures)
    yield paragraph(
        "Fitted to the rows above (a straight line, by commits for each command): what each command costs,",
        "and what each commit adds, however many commands share it. A busy server needs less for each",
        "command, because all commands that arrive while the disk works share one commit.",
    )
    yield _memory(figures)
    yield paragraph(
        "Memory at full speed. KiB more by room: what each room adds to its server. Backend: the database's",
        "process for one server.",
    )


def _commit_row(raced: Raced) -> list[str]:
    return [
        servers(raced.crowd),
        rate(raced.crowd),
        f"{raced.commits_per_second:,.0f}",
        f"{raced.commands_per_commit:.2f}",
        f"{raced.wal_bytes_per_second / 1000:,.0f}",
        f"{raced.wal_bytes_per_command:,.0f}",
        f"{raced.wal_sync_ms:.1f}",
    ]


def _costs(figures: Figures) -> str:
    whats: dict[str, tuple[Callable[[Raced], float], str]] = {
        "server, ms": (lambda raced: raced.server_ms, ".2f"),
        "database, ms": (lambda raced: raced.database_ms, ".2f"),
        "log, bytes": (lambda raced: raced.wal_bytes_per_command, ",.0f"),
    }
    rows = []
    for what, (figure, form) in whats.items():
        found = cost(figures.raced, figure)
        each = f"{found.a_command:{form}}", f"{found.a_commit:{form}}", f"{found.correlation:.2f}"
        rows.append([what, *each])
    return table(["what", "a command", "a commit", "correlation"], rows)


def _memory(figures: Figures) -> str:
    rows = [
        [
            servers(raced.crowd),
            str(raced.crowd.rooms),
            f"{sum(raced.server_mebibytes) / len(raced.server_mebibytes):.0f}",
            f"{raced.kibibytes_a_room:.0f}",
            f"{sum(raced.backend_mebibytes) / len(raced.backend_mebibytes):.1f}"
            if raced.crowd.servers
            else "-",
        ]
        for raced in figures.raced
        if raced.crowd.per_second is None
    ]
    return table(["servers", "rooms in all", "MiB a server", "KiB more by room", "MiB a backend"], rows)


def _store(figures: Figures) -> Iterable[str]:
    if not figures.filled:
        return
    yield "### A race on disk"
    yield table(
        ["store", "races ended", "commands a race", "bytes a command", "KB a race"],
        [
            [
                filled.filling.store,
                str(filled.disk.races),
                f"{filled.disk.steps_a_race:,.0f}",
                f"{filled.disk.bytes_a_step:,.0f}",
                f"{filled.disk.bytes_a_step * filled.disk.steps_a_race / 1000:,.0f}",
            ]
            for filled in figures.filled
        ],
    )
    yield paragraph(
        "Six drivers, USA, two laps. The size is that of all tables with their indexes, or of the file."
    )


def _resting(figures: Figures) -> Iterable[str]:
    yield "### A fleet at rest"
    yield table(
        [
            "servers",
            "asleep",
            "awake",
            "server ms/s",
            "database ms/s",
            "transactions/s",
            "log bytes/s",
            "MiB a server",
            "load",
        ],
        [
            [
                str(rested.rest.servers),
                f"{rested.rest.sleeping:,}",
                f"{rested.rest.awake:,}",
                f"{rested.server_ms:.1f}",
                f"{rested.database_ms:.1f}",
                f"{rested.transactions_per_second:.1f}",
                f"{rested.wal_bytes_per_second:,.0f}",
                f"{rested.server_mebibytes:.0f}",
                f"{rested.load:.0f}",
            ]
            for rested in figures.rested
        ],
    )
    yield paragraph(
        "All figures are for each server. Asleep: races on disk that everybody has left. Awake: lobbies with",
        "one player. The servers only renew their leases and look for rooms without an owner. Linux counts",
        "processor time in hundredths of a second, so these figures are rough.",
    )
    yield f"![Processor time of a fleet at rest by rooms](pictures/{RESTING_PICTURE})"


def _taking_over(figures: Figures) -> Iterable[str]:
    yield "### A server ends"
    yield table(
        [
            "what ends",
            "rooms",
            "owned",
            "half",
            "all back",
            "all race",
            "server",
            "database",
            "hellos",
            "each got",
            "load",
        ],
        [
            [
                f"1 of {over.what.servers} {over.what.end}" + ("" if over.what.seats else ", asleep"),
                f"{over.what.rooms:,}",
                f"{over.owned_seconds:.1f}",
                *(
                    f"{seconds:.1f}" if over.what.seats else "-"
                    for seconds in (over.back_median_seconds, over.back_seconds, over.raced_seconds)
                ),
                f"{over.server_seconds:.2f}",
                f"{over.database_seconds:.2f}",
                f"{over.hellos:,}",
                "+".join(map(str, over.shares)),
                f"{over.load:.0f}",
            ]
            for over in figures.taken_over
        ],
    )
    yield paragraph(
        "The first server has all rooms and ends. Each room has two drivers who think ten seconds about",
        "each decision. All times are seconds after the end. Owned: when the other servers own all rooms.",
        "Half, all back: when half of the drivers, and all, have their room again. All race: when somebody",
        "has acted in each room. Drivers wait between their attempts as real clients do. Server and",
        "database: seconds of processor time until then, of the other servers and of the database. Hellos:",
        "how often the drivers tried to come back. Each got: how many rooms each of the other servers has",
        "then. Compare rows of the same load only: on a busy machine everything takes longer.",
    )
    yield f"![Seconds and processor time of a take-over by rooms](pictures/{TAKING_OVER_PICTURE})"
