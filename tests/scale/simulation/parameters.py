"""What the simulation is fed with: each figure once, with its unit and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from heat_server.store.contract import RENEW_SECONDS
from heat_server.store.postgres.leases import LEASE_SECONDS

STATEMENTS: Final = "`python -m tests.scale.statements`"
LOAD: Final = "`python -m tests.scale.load`"
ASSUMED: Final = "assumed"
CODE: Final = "the code"


def figure(value: float, unit: str, what: str, source: str) -> Any:
    """Make an entry of the table."""
    return field(default=value, metadata={"unit": unit, "what": what, "source": source})


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What things cost, with the servers as they are now. Times are processor time unless said otherwise."""

    cores: int = figure(8, "cores", "of the database's machine", ASSUMED)
    round_trip: float = figure(0.0004, "s", "from a server to the database and back", ASSUMED)
    flush: float = figure(0.0015, "s", "for a commit to reach the database's disk", ASSUMED)
    commit: float = figure(0.0008, "s", "of the database for a commit, however much is in it", LOAD)
    step: float = figure(0.00013, "s", "of the database for each room in a commit", STATEMENTS)
    renew: float = figure(0.0003, "s", "of the database to renew a lease", STATEMENTS)
    peers: float = figure(0.0003, "s", "of the database for the list of the other servers", STATEMENTS)
    look: float = figure(0.0009, "s", "of the database to see whether something is free", STATEMENTS)
    look_room: float = figure(0.0, "s", "of it for each open room of the whole fleet", STATEMENTS)
    claim: float = figure(0.001, "s", "of the database for a take-over, whatever it takes", STATEMENTS)
    claim_room: float = figure(0.00005, "s", "of the database for each room that is taken", STATEMENTS)
    tokens_room: float = figure(0.0, "s", "of it for each open room of the whole fleet", STATEMENTS)
    owner: float = figure(0.0002, "s", "of the database to find who has the room of a token", STATEMENTS)
    load: float = figure(0.0015, "s", "of the database to read a room that wakes", LOAD)
    release: float = figure(0.00005, "s", "of the database for each room that a server lets go", LOAD)
    connect: float = figure(0.010, "s", "of the database for a new connection", ASSUMED)
    command: float = figure(0.0005, "s", "of a server for a command", LOAD)
    batch: float = figure(0.0020, "s", "of a server for a commit, however much is in it", LOAD)
    claimed: float = figure(0.00002, "s", "of a server for each room that it takes", STATEMENTS)
    tokens_read: float = figure(0.0, "s", "of a server for each open room of the whole fleet", STATEMENTS)
    hello: float = figure(0.0015, "s", "of a server for a connection with its hello", LOAD)
    wake: float = figure(0.005, "s", "of a server for a room that wakes in the middle of its race", ASSUMED)
    view: float = figure(0.001, "s", "of a server to send a returning player everything", ASSUMED)
    goodbye: float = figure(0.0002, "s", "of a server to say goodbye to a client", ASSUMED)
    start: float = figure(2.0, "s of time", "from starting a server to its first statement", LOAD)
    way: float = figure(0.03, "s of time", "from a client to a server and back", ASSUMED)


BEFORE: Final = Costs(
    look=0.0,
    look_room=3.7e-6,
    peers=0.00093,
    claim_room=0.00013,
    tokens_room=2.4e-6,
    tokens_read=3.6e-6,
    owner=0.0235,
)
"""Before the statements were mended: the first version of leases, whose looks read all open rooms."""


@dataclass(frozen=True, kw_only=True)
class People:
    """Who plays."""

    rooms: int = figure(100_000, "rooms", "open, awake or asleep", "chosen")
    racing: float = figure(0.1, "of all", "share of rooms with people racing in them", ASSUMED)
    drivers: int = figure(5, "people", "in a room where people race", ASSUMED)
    think: float = figure(8.0, "s of time", "from a question to the answer of a person", ASSUMED)
    turn: float = figure(12.0, "s of time", "between two commands of a person, with waiting", ASSUMED)


class Plan(NamedTuple):
    """How servers take over what is free.

    Attributes:
        name: In words.
        takes_all: Whether the first that looks takes everything; else each takes its share.
        costs: What that and all else costs.
    """

    name: str
    takes_all: bool
    costs: Costs


FIRST_TAKES_ALL: Final = Plan("the first takes all", True, Costs())
FAIR_SHARES: Final = Plan("fair shares", False, Costs())
UNMENDED: Final = Plan("before", True, BEFORE)


class Row(NamedTuple):
    """An entry of the table, in words.

    Attributes:
        what: Which figure.
        value: With its unit.
        source: Where it comes from.
    """

    what: str
    value: str
    source: str


def table(costs: Costs, people: People) -> list[Row]:
    """List all figures."""
    rows = [
        Row("how long a lease runs", f"{LEASE_SECONDS:g} s of time", CODE),
        Row("how often it is renewed", f"every {RENEW_SECONDS:g} s of time", CODE),
    ]
    for owner in (people, costs):
        for entry in fields(owner):
            value = getattr(owner, entry.name)
            if value:
                rows.append(
                    Row(
                        entry.metadata["what"], _text(value, entry.metadata["unit"]), entry.metadata["source"]
                    )
                )
    return rows


def _text(value: float, unit: str) -> str:
    if unit == "s" and value < 0.1:
        return f"{1000 * value:.3g} ms"
    return f"{value:,g} {unit}"
