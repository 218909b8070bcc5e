"""What is wrong with the shape of values out of a file: every key and element told with its place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

MOST_SHOWN: Final = 24
MOST_REASON: Final = 200
_MOST_ELEMENTS: Final = 400


def shown(text: str) -> str:
    """Quote a word of somebody else's, so that it is neither long nor drives a terminal."""
    return repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")


def printable(text: str) -> str:
    """Write signs out that would drive a terminal: file names and keys may hold any."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def shown_reason(error: Exception) -> str:
    """Give what a decoder found wrong: it quotes keys of the file, at any length and with any sign."""
    return printable(str(error)[:MOST_REASON])


def shape_faults(values: dict[str, Any], kind: type[msgspec.Struct], what: str) -> Iterator[str]:
    """Look at each key by itself, and at each element of a list, so that all faults come at once.

    Args:
        values: As read from a file.
        kind: What they should be.
        what: The file's kind in words, with its article.

    Yields:
        Nothing where `values` can be converted to `kind`. A file of strangers may have as many faults as
        bytes: who asks takes as many as somebody would read.
    """
    types = _types_of(kind)
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    yield from (f"{shown(key)}: {what} has no such key" for key in values if key not in fields)
    for name, field in fields.items():
        if name not in values:
            if field.required:
                yield f"{name!r} is missing"
            continue
        value = values[name]
        if faults := value_faults(name, value, types[name]):
            inside = _element_faults(name, value, types[name])
            yield from chain([next(inside, faults[0])], inside)


def _element_faults(name: str, value: object, annotation: Any) -> Iterator[str]:
    """Look at the first elements of a list, as many as any file may have."""
    element = _element_type(annotation)
    if element is not None and isinstance(value, list):
        for number, item in enumerate(value[:_MOST_ELEMENTS], start=1):
            yield from value_faults(f"{name}, entry {number}", item, element)


@cache
def _types_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _element_type(annotation: Any) -> Any:
    """Give the type of the elements where a key holds a list, else None."""
    inner = get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation
    arguments = get_args(inner)
    is_list = get_origin(inner) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis
    return arguments[0] if is_list else None


def value_faults(place: str, value: Any, annotation: Any) -> list[str]:
    """Say why a value, that stands at a place, is not of a type; nothing where it is."""
    try:
        msgspec.convert(value, annotation)
    except msgspec.ValidationError as error:
        reason, _, where = shown_reason(error).partition(" - at `$")
        reason = reason.replace(" | null", "")  # a file that has no value leaves the key out
        inside = where.rstrip("`").replace("[...]", "").lstrip(".")
        return [f"{place}{', ' + inside if inside else ''}: {reason}"]
    return []
