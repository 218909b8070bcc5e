"""The types of the protocol as documents show them: fields, their values and meanings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import EnumType
from functools import cache
from typing import Any, Final, NamedTuple, get_args

import msgspec
from msgspec import inspect as types

from heat_core.decisions import Choice
from heat_core.race.commands import Command
from heat_core.race.events import Event
from heat_core.wire import messages as m

_ATTRIBUTES: Final = re.compile(r"\n\n+Attributes:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
_UNION_NAMES: Final = {
    frozenset(get_args(Command)): "a [command](#commands)",
    frozenset(get_args(Choice)): "a [choice](#choices)",
    frozenset(get_args(m.SeenEvent)): "an [event](#events)",
    frozenset(get_args(Event)): "an [event](#events)",
}
"""By the structs of a union: how the document calls it."""

_GREAT: Final = 1_000
"""A bound from here on only keeps nonsense out, and is not worth a word."""


class Field(NamedTuple):
    """A field of a struct, as a reader needs it.

    Attributes:
        name: As it is sent.
        values: Which ones it has, in words.
        meaning: From the struct's docstring; "" where the name says all.
        left_out: The value that it has where it is not sent; "": it is always sent.
    """

    name: str
    values: str
    meaning: str
    left_out: str


def structs_in(*unions: Any) -> Iterator[type[msgspec.Struct]]:
    """List every struct that messages have in them, each once, those that hold others first."""
    seen: dict[type[msgspec.Struct], None] = {}
    waiting = [types.type_info(union) for union in unions]
    while waiting:
        match waiting.pop(0):
            case types.StructType(cls=struct, fields=fields) if struct not in seen:
                seen[struct] = None
                waiting += [field.type for field in fields]
            case types.UnionType(types=kinds) | types.TupleType(item_types=kinds):
                waiting += kinds
            case types.VarTupleType(item_type=kind) | types.Metadata(type=kind):
                waiting.append(kind)
            case _:
                pass
    return iter(seen)


def summary(struct: type[msgspec.Struct]) -> str:
    """Give what the docstring of a struct says before its attributes, in one line."""
    text = inspect.getdoc(struct) or ""
    return _plain(_ATTRIBUTES.split(text)[0])


@cache
def meanings(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Give what the docstring of a struct says of its fields, each in one line."""
    found = _ATTRIBUTES.search((inspect.getdoc(struct) or "") + "\n\n")
    if not found:
        return {}
    entries = re.split(r"\n(?=    \w)", "\n" + found[1])
    pairs = (entry.strip().split(":", 1) for entry in entries if entry.strip())
    return {name: _plain(text) for name, text in pairs}


def fields_of(struct: type[msgspec.Struct]) -> list[Field]:
    """List the fields of a struct."""
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    is_sparse = struct.__struct_config__.omit_defaults
    return [
        Field(
            field.encode_name,
            values_of(field.type),
            meanings(struct).get(field.name, ""),
            _default_of(field) if is_sparse and not field.required else "",
        )
        for field in info.fields
    ]


def _default_of(field: types.Field) -> str:
    return {None: "nil", (): "empty"}.get(field.default, str(field.default).lower())


def values_of(known: types.Type) -> str:
    """Say in words which values a type has."""
    match known:
        case types.Metadata(type=inside):
            return values_of(inside)
        case types.UnionType(types=kinds):
            return _values_of_union(kinds)
        case types.BoolType():
            return "true or false"
        case types.IntType(ge=least, le=most, lt=below):
            most = below - 1 if below is not None else most
            if least is None or most is None:
                return "number"
            return f"{least:,} to {most:,}" if most < _GREAT else "number"
        case types.FloatType():
            return "number with fractions"
        case types.StrType():
            return "text"
        case types.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case types.EnumType(cls=cls):
            assert isinstance(cls, EnumType)
            return ", ".join(f"{member.value} {member.name.lower()}" for member in cls)
        case types.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case types.VarTupleType(item_type=inside):
            return f"list: {values_of(inside)}"
        case types.TupleType(item_types=kinds):
            return f"list of {len(kinds)}: {'; '.join(values_of(kind) for kind in kinds)}"
        case types.DictType(value_type=inside):
            return f"map: {values_of(inside)}"
    raise TypeError(f"no words for {known}")


def _values_of_union(kinds: tuple[types.Type, ...]) -> str:
    structs = frozenset(kind.cls for kind in kinds if isinstance(kind, types.StructType))
    words = [_UNION_NAMES[structs]] if structs in _UNION_NAMES else []
    words += [
        values_of(kind)
        for kind in kinds
        if not isinstance(kind, types.NoneType) and not (words and isinstance(kind, types.StructType))
    ]
    words += ["nil" for kind in kinds if isinstance(kind, types.NoneType)]
    return ", ".join(words[:-1]) + f" or {words[-1]}" if len(words) > 1 else words[0]


def _plain(text: str) -> str:
    """Put a text of a docstring into one line, in the words of the protocol."""
    text = re.sub(r"\bNone\b", "nil", re.sub(r"\s+", " ", text).strip())
    text = re.sub(r"`(?:heat_core\.)[\w.]*\.(\w+)`", r"`\1`", text)
    return re.sub(r" \((?:[A-Z]+-\d+(?:, )?)+\)", "", text)
