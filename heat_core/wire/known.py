"""What a newer program sends and this one does not know: left out, so that the rest can be read.

Types are strict everywhere, because they read files too. On the wire unknown fields are no fault: the other
side may be newer. An event of an unknown type keeps its place, because events are numbered by it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect

from heat_core.wire.messages import UnknownEvent

_UNKNOWN_EVENT: Final = msgspec.to_builtins(UnknownEvent())


def known_part(value: Any, kind: Any) -> Any:
    """Leave out of plain values what a type does not have: unknown fields, at any depth.

    Args:
        value: As a decoder made it: maps, lists, texts, numbers.
        kind: What `msgspec.convert` will be asked for.

    Returns:
        The same with unknown fields left out and unknown events replaced; whatever else does not fit stays.
    """
    return _known(value, _type_of(kind))


@cache
def _type_of(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _known(value: Any, known: inspect.Type) -> Any:
    match known:
        case inspect.Metadata(type=inside):
            return _known(value, inside)
        case inspect.UnionType(types=kinds):
            return _known_of_union(value, kinds)
        case inspect.StructType() if isinstance(value, dict):
            fields = {field.encode_name: field.type for field in known.fields}
            kept = {name: _known(value[name], kind) for name, kind in fields.items() if name in value}
            tag = known.tag_field
            return {tag: value[tag], **kept} if tag is not None and tag in value else kept
        case inspect.VarTupleType(item_type=inside) if isinstance(value, list):
            return [_known(item, inside) for item in value]
        case _:
            return value


def _known_of_union(value: Any, kinds: tuple[inspect.Type, ...]) -> Any:
    structs = [kind for kind in kinds if isinstance(kind, inspect.StructType)]
    if isinstance(value, dict):
        for struct in structs:
            if struct.tag_field is None or value.get(struct.tag_field) == struct.tag:
                return _known(value, struct)
        if any(struct.cls is UnknownEvent for struct in structs) and type(value.get("type")) is str:
            return _UNKNOWN_EVENT
    elif isinstance(value, list):
        for kind in kinds:
            if isinstance(kind, inspect.VarTupleType):
                return _known(value, kind)
    return value
