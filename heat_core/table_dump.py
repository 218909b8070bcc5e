"""What a table is saved as, and how a race is made of that again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeAlias

import msgspec

from heat_core.drivers import DriverName
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.dump import BadDump, require_rules_version, seal, unseal
from heat_core.race.events.older import EventsDecoder
from heat_core.race.rules_version import is_of_older_rules
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.record.record import Record, record_setup_problems, verify_record

TABLE_FORMAT: Final = 4
"""Of `Table.dump`; it goes up when what it holds changes its form. In 3, parts and symbols had no names."""
_OLDER_FORMATS: Final = (3,)

Answer: TypeAlias = tuple[int, c.Command]
"""A decision's id and what answered it."""


class TableDump(msgspec.Struct):
    """What a table is made from again; the race follows from set-up and log.

    Attributes:
        setup: With the seed.
        events: How many of the log are known in `answered` and `bot_decisions`.
        drivers: Who decides for each seat.
        answered: The last answer of each person, by seat.
        bot_decisions: How many decisions bots have made.
        log: All events, unmasked.
    """

    setup: RaceSetup
    events: Annotated[int, msgspec.Meta(ge=0)]
    drivers: dict[int, DriverName]
    answered: dict[int, Answer]
    bot_decisions: Annotated[int, msgspec.Meta(ge=0, le=1 << 32)]
    log: list[e.Event]


def write_dump(dump: TableDump) -> bytes:
    """Serialise what a table is made from again."""
    return seal(TABLE_FORMAT, dump)


def read_dump(data: bytes) -> TableDump:
    """Read what `write_dump` wrote; whether a race follows from it is for `race_of`.

    Raises:
        BadDump: The bytes are no table, or another version wrote them.
    """
    return unseal(data, "table", TABLE_FORMAT, _DECODER, _OLDER_FORMATS)


def race_of(kept: TableDump) -> Race:
    """Make the race: dealt again, with all its choices made again.

    Raises:
        BadDump: Another version raced, or the events cannot happen.
    """
    log = kept.log
    # A race that is over is only looked at, whatever rules it was raced by.
    is_to_be_told = is_of_older_rules(kept.setup.rules_version) and _is_over(log)
    if not is_to_be_told:
        require_rules_version(kept.setup.rules_version)
    if kept.events > len(log):
        raise BadDump(f"no table: it knows {kept.events} events, and has a log of {len(log)}")
    if not set(kept.answered) <= set(kept.drivers):
        raise BadDump(f"no table: answers of the cars {sorted(kept.answered)}")
    return _told(kept) if is_to_be_told else _dealt_anew(kept)


def require_drivers(setup: RaceSetup, drivers: Mapping[int, DriverName]) -> None:
    """See that each seat has its driver.

    Raises:
        ValueError: There is another seat, or one too few.
    """
    seats = [number for number, car in enumerate(setup.cars) if car.legend is None]
    if set(drivers) != set(seats):
        raise ValueError(f"drivers for seats {sorted(drivers)}, seats are {seats}")


def _is_over(log: Sequence[e.Event]) -> bool:
    return bool(log) and isinstance(log[-1], e.RaceEnded)


def _told(kept: TableDump) -> Race:
    """Apply the events of a race that is over.

    Raises:
        BadDump: They cannot be applied to its set-up.
    """
    try:
        require_drivers(kept.setup, kept.drivers)
        return fold(kept.setup, kept.log)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadDump(f"no table: its events do not follow on one another: {error}") from None


def _dealt_anew(kept: TableDump) -> Race:
    """Deal a race again from its set-up, and make the choices of its log again.

    Raises:
        BadDump: No race begins or continues so.
    """
    if kept.setup.seed is None:
        raise BadDump("no table: it has no seed to deal on from")
    if problems := record_setup_problems(kept.setup):
        raise BadDump(f"no table: {'; '.join(problems)}")
    try:
        require_drivers(kept.setup, kept.drivers)
        race = verify_record(Record(kept.setup, tuple(kept.log)))
    except ValueError as error:
        raise BadDump(f"no table: {error}") from None
    if race.setup != kept.setup:
        raise BadDump("no table: its first events and its set-up are of different races")
    return race


_DECODER: Final = EventsDecoder(msgspec.msgpack.Decoder(TableDump))
