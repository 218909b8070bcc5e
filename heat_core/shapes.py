"""What is wrong with the shape of values from a file: each part of each entry, in words, with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import inspect

from heat_core.text import listed
from heat_core.validation_text import validation_text

MOST_SHOWN: Final = 24

_TRUNCATED: Final = "Input data was truncated"
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*?)`", re.DOTALL)
_BYTE: Final = re.compile(r"\(byte (\d+)\)\Z")


class Entry(NamedTuple):
    """How people call an element of a list.

    Attributes:
        word: As in "corner 2".
        parts: The names of its parts, where it is a list itself.
    """

    word: str
    parts: tuple[str, ...] = ()


class Look(NamedTuple):
    """What a look at values found.

    Attributes:
        faults: What is wrong, each with its place; empty where all can be converted.
        right: The values without what is wrong: such keys are left out, such elements are None.
    """

    faults: list[str]
    right: dict[str, Any]


def shown(text: str) -> str:
    """Quote a word of somebody else's, so that it is neither long nor drives a terminal."""
    return repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")


def printable(text: str) -> str:
    """Write signs out that would drive a terminal: file names and keys may hold any."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def shown_reason(error: Exception) -> str:
    """Say in our own words what a decoder found wrong with JSON; of the file only unknown keys are quoted."""
    text = str(error)
    if isinstance(error, msgspec.ValidationError):
        if unknown := _UNKNOWN.match(text):
            return f"unknown field {shown(unknown[1])}"
        reason = validation_text(text)
        return reason[0].lower() + reason[1:].rstrip(".")
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8 text"
    if isinstance(error, RecursionError):
        return "not JSON: nested too deeply"
    if text == _TRUNCATED:
        return "not JSON: the text is cut off"
    place = _BYTE.search(text)
    return f"not JSON: wrong at byte {place[1]}" if place else "not JSON"


def shown_value(value: object) -> str:
    """Write a value of somebody else's as in a file, so that it is neither long nor drives a terminal."""
    if isinstance(value, str):
        return f'"{printable(value if len(value) <= MOST_SHOWN else value[:MOST_SHOWN] + "…")}"'
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        return "a value of another type"
    return printable(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")


def look_at(
    values: Mapping[str, Any],
    kind: type[msgspec.Struct],
    what: str,
    entries: Mapping[str, Entry] | None = None,
) -> Look:
    """Look at each part by itself, so that all faults come at once.

    Args:
        values: As read from a file.
        kind: What they should be: numbers, texts, named values; lists, tuples, tables, structs of them.
        what: The file's kind in words, with its article.
        entries: By key: what an element of its list is called.
    """
    faults: list[str] = []
    right = _Looker(faults, entries or {}).fields("", values, _type_of(kind), what)
    return Look(faults, right)


def value_faults(subject: str, value: object, annotation: Any) -> list[str]:
    """Say why a value is not of a type; nothing where it is."""
    faults: list[str] = []
    _Looker(faults, {}).look(subject, value, _type_of(annotation))
    return faults


@cache
def _type_of(annotation: Any) -> Any:
    return inspect.type_info(annotation)


class _Looker:
    """Walks through values and their types together; gives back what is right, None where nothing is."""

    def __init__(self, faults: list[str], entries: Mapping[str, Entry]) -> None:
        self._faults = faults
        self._entries = entries

    def look(self, subject: str, value: Any, known: Any, entry: Entry | None = None) -> Any:
        match known:
            case inspect.UnionType(types=types):  # a file that has no value leaves the key out
                (known,) = (kind for kind in types if not isinstance(kind, inspect.NoneType))
                return self.look(subject, value, known, entry)
            case inspect.StructType() if isinstance(value, dict):
                return self.fields(subject, value, known, f"a {entry.word}" if entry else "it")
            case inspect.DictType(value_type=inside) if isinstance(value, dict):
                return {
                    key: self.look(f"{subject}: {shown_key(key)}", one, inside) for key, one in value.items()
                }
            case inspect.VarTupleType() if isinstance(value, list):
                return self._elements(subject, value, known, entry)
            case inspect.TupleType(item_types=types) if isinstance(value, list) and len(value) == len(types):
                parts = (
                    entry.parts if entry and entry.parts else [f"value {n + 1}" for n in range(len(types))]
                )
                rows = zip(parts, value, types, strict=True)
                return [self.look(f"{subject}: {part}", one, inside) for part, one, inside in rows]
            case _ if _fits(value, known):
                return value
            case _:
                self._faults.append(f"{subject} must be {_words(known, entry)}, not {shown_value(value)}")
                return None

    def fields(
        self, subject: str, values: Mapping[str, Any], known: inspect.StructType, what: str
    ) -> dict[str, Any]:
        before = f"{subject}: " if subject else ""
        fields = {field.name: field for field in known.fields}
        self._faults += [
            f"{before}{shown_value(key)} is not a key of {what}" for key in values if key not in fields
        ]
        right = {}
        for name, field in fields.items():
            entry = self._entries.get(name)
            if name in values:
                found = self.look(f"{before}{name}", values[name], field.type, entry)
                if found is not None:
                    right[name] = found
            elif field.required:
                self._faults.append(f"{before}{name} is missing (it must be {_words(field.type, entry)})")
        return right

    def _elements(
        self, subject: str, value: list[Any], known: inspect.VarTupleType, entry: Entry | None
    ) -> Any:
        least, most = known.min_length or 0, known.max_length
        is_too_long = most is not None and len(value) > most
        if is_too_long or len(value) < least:
            self._faults.append(f"{subject} must have {_range(least, most)} entries, not {len(value)}")
        word = entry.word if entry else f"{subject}, entry"
        found = [
            self.look(f"{word} {number}", one, known.item_type, entry)
            for number, one in enumerate(value[:most], start=1)
        ]
        return None if is_too_long else found


def shown_key(key: object) -> str:
    """Write a key of somebody else's without quotes, so that it is neither long nor drives a terminal."""
    return shown_value(str(key))[1:-1]


def _fits(value: Any, known: Any) -> bool:
    """Tell whether a value that has no parts is of a type, as the decoder would."""
    match known:
        case inspect.Metadata(type=inside):
            return _fits(value, inside)
        case inspect.AnyType():
            return True
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.LiteralType(values=values):
            return any(type(value) is type(one) and value == one for one in values)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool) and _is_within(value, known)
        case inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool) and _is_within(value, known)
        case inspect.StrType(min_length=least, max_length=most, pattern=pattern):
            if not isinstance(value, str) or not (least or 0) <= len(value) <= (
                len(value) if most is None else most
            ):
                return False
            return pattern is None or re.search(pattern, value) is not None
    return False


def _is_within(value: float, known: inspect.IntType | inspect.FloatType) -> bool:
    return (known.ge is None or value >= known.ge) and (known.le is None or value <= known.le)


def _words(known: Any, entry: Entry | None) -> str:
    """Say in words which values a type has; what the type's own description says goes first."""
    match known:
        case inspect.Metadata(extra_json_schema={"description": str(text)}):
            return text
        case inspect.UnionType(types=types):
            return _words(next(kind for kind in types if not isinstance(kind, inspect.NoneType)), entry)
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=values):
            return listed([str(value) for value in values], "or")
        case inspect.IntType():
            return f"a whole number{_from(known)}"
        case inspect.FloatType():
            return f"a number{_from(known)}"
        case inspect.StrType(min_length=least, max_length=most):
            return "text" if most is None else f"text of {_range(least or 0, most)} characters"
        case inspect.StructType(fields=fields):
            return f"an object with {listed([field.name for field in fields if field.required], 'and')}"
        case inspect.DictType():
            return "a table"
        case inspect.VarTupleType(min_length=least, max_length=most):
            return "a list" if most is None else f"a list of {_range(least or 0, most)} entries"
        case inspect.TupleType(item_types=types):
            return (
                f"[{', '.join(entry.parts)}]" if entry and entry.parts else f"a list of {len(types)} values"
            )
    raise TypeError(f"no words for {known}")


def _from(known: inspect.IntType | inspect.FloatType) -> str:
    return "" if known.ge is None or known.le is None else f" from {known.ge:g} to {known.le:g}"


def _range(least: int, most: int | None) -> str:
    return f"at least {least}" if most is None else f"{least} to {most}"
