"""A tournament's results as lines of JSON: the heading, then a line for each race as it ends."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from heat_core.tournament.races import Heading, Race, Result


class BadResults(ValueError):
    """A file that holds no results, or those of another tournament; the text says which."""


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    board: str
    deal: int
    drivers: tuple[str, ...]
    order: tuple[int, ...]


def encode_heading(heading: Heading) -> bytes:
    """Write the first line."""
    return msgspec.json.encode(heading) + b"\n"


def encode_result(result: Result) -> bytes:
    """Write the line of a race."""
    race = result.race
    return msgspec.json.encode(_Line(race.board, race.deal, race.drivers, result.order)) + b"\n"


def decode_results(data: bytes, heading: Heading) -> tuple[dict[Race, Result], int]:
    """Read the results that a file has.

    Args:
        heading: What the tournament is to be.

    Returns:
        The results, and how many bytes of the file are whole lines: a program that was killed may have left
        half a line behind them.

    Raises:
        BadResults: The lines are none of a tournament, or the tournament is another one.
    """
    whole = data.rfind(b"\n") + 1
    first, *lines = data[:whole].splitlines() or [b""]
    results = {}
    try:
        found = msgspec.json.decode(first, type=Heading)
        for line in lines:
            result = _result(msgspec.json.decode(line, type=_Line))
            results[result.race] = result
    except msgspec.MsgspecError:
        raise BadResults("this is no file of a tournament's results") from None
    if found != heading:
        differences = ", ".join(_differences(found, heading))
        raise BadResults(f"these are results of another tournament: {differences}")
    return results, whole


def _result(line: _Line) -> Result:
    if sorted(line.order) != list(range(len(line.drivers))):
        raise msgspec.ValidationError("the order must name each seat once")
    return Result(Race(line.board, line.deal, line.drivers), line.order)


def _differences(found: Heading, wanted: Heading) -> Iterable[str]:
    """Name what two headings differ in, with both values."""
    for field in Heading.__struct_fields__:
        one, other = getattr(found, field), getattr(wanted, field)
        if one != other:
            one, other = (msgspec.json.encode(value).decode() for value in (one, other))
            yield f"{field} is {one} there and {other} here"
