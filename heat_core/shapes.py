"""What is wrong with the shape of values out of a file: every key and element told with its place."""

from __future__ import annotations

from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

MOST_SHOWN: Final = 24
MOST_REASON: Final = 200


def shown(text: str) -> str:
    """Quote a word of somebody else's, so that it is neither long nor drives a terminal."""
    return repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")


def printable(text: str) -> str:
    """Write signs out that would drive a terminal: file names and keys may hold any."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def shown_reason(error: Exception) -> str:
    """Give what a decoder found wrong: it quotes keys of the file, at any length and with any sign."""
    return printable(str(error)[:MOST_REASON])


def shape_faults(values: dict[str, Any], kind: type[msgspec.Struct], what: str) -> list[str]:
    """Look at each key by itself, and at each element of a list, so that all faults come at once.

    Args:
        values: As read from a file.
        kind: What they should be.
        what: The file's kind in words, with its article.

    Returns:
        Nothing where `values` can be converted to `kind`.
    """
    types = get_type_hints(kind, include_extras=True)
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    faults = [f"{shown(key)}: {what} has no such key" for key in values if key not in fields]
    for name, field in fields.items():
        if name not in values:
            if field.required:
                faults.append(f"{name!r} is missing")
            continue
        value = values[name]
        element = _element_type(types[name])
        inside: list[str] = []
        if element is not None and isinstance(value, list):
            for number, item in enumerate(value, start=1):
                inside += value_faults(f"{name}, entry {number}", item, element)
        faults += inside or value_faults(name, value, types[name])
    return faults


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
