"""A record with one value of one event changed, in every way that might matter: what may be shown of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from typing import Any, NamedTuple

import msgspec

from heat_core.record.record import BadRecord, Record, decode_record


class Changed(NamedTuple):
    """A changed record that can be read; whether it holds is another question.

    Attributes:
        number: Of the event that was changed, from 1.
        what: Its kind, where in it, and the new value.
    """

    record: Record
    number: int
    what: str


def changed_records(data: bytes, one_in: int = 1) -> Iterator[Changed]:
    """Change each value of the first event of each kind, one at a time.

    Args:
        data: A record that holds. What is refused already when it is read is left out.
        one_in: Of so many changes one is made.
    """
    turn = count()
    lines = data.split(b"\n")[:-1]
    kinds: set[str] = set()
    for number, line in enumerate(lines[1:], start=1):
        values = msgspec.json.decode(line)
        kind = values["event"]["type"]
        if kind in kinds:
            continue
        kinds.add(kind)
        for path in paths_in(values["event"]):
            for value in others(inside(values["event"], path)):
                if next(turn) % one_in:
                    continue
                changed = deepcopy(values)
                inside(changed["event"], path[:-1])[path[-1]] = value
                told = [*lines[:number], msgspec.json.encode(changed), *lines[number + 1 :]]
                with contextlib.suppress(BadRecord):
                    record = decode_record(b"\n".join(told) + b"\n")
                    yield Changed(record, number, f"{kind} {path}: {value!r}")


def paths_in(value: Any) -> list[tuple[Any, ...]]:
    """List the path of every value inside a value, without its own."""
    found: list[tuple[Any, ...]] = []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        found += [(key,), *((key, *path) for path in paths_in(item))]
    return found


def inside(value: Any, path: tuple[Any, ...]) -> Any:
    """Give what lies at a path."""
    for key in path:
        value = value[key]
    return value


def others(value: Any) -> tuple[Any, ...]:
    """Give values that might stand in the place of one."""
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, 0, 5, 400)
        case str():
            return ("stress", "joker", "4wd-3", "react")
        case list():
            return ([], value + value[:1], value[::-1])
        case None:
            return (1, 3)
        case _:
            return (None,)
