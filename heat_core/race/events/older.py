"""Events as release 0.2 wrote them: parts of bills and symbols were lists, without the names of fields."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec

from heat_core.race.events.parts import Part, Symbol

Value = TypeVar("Value")
_Decoder: TypeAlias = "msgspec.json.Decoder[Value] | msgspec.msgpack.Decoder[Value]"

_FIELDS: Final = {
    "parts": Part.__struct_fields__,
    "limit_parts": Part.__struct_fields__,
    "symbols": Symbol.__struct_fields__,
}
"""By the field of an event: what the values of each of its lists are."""


class EventsDecoder(Generic[Value]):
    """A decoder of something with events in it that also reads what older releases wrote."""

    def __init__(self, decoder: _Decoder[Value]) -> None:
        """Take the decoder of the present form."""
        self._decoder = decoder
        self._decode_loosely: Any = (
            msgspec.json.decode if isinstance(decoder, msgspec.json.Decoder) else msgspec.msgpack.decode
        )

    def decode(self, data: bytes) -> Value:
        """Read a value.

        Raises:
            msgspec.DecodeError: The bytes are none, in the present form or an older one.
            UnicodeDecodeError: A text in them is no UTF-8.
            RecursionError: They are nested too deeply.
        """
        try:
            return self._decoder.decode(data)
        except msgspec.ValidationError:
            loose = self._decode_loosely(data)
            if (named := _with_names(loose)) == loose:
                raise
        return msgspec.convert(named, self._decoder.type)


def _with_names(value: Any) -> Any:
    """Name the fields of each list that is a part or a symbol, at any depth."""
    if isinstance(value, dict):
        return {
            key: [_named(row, _FIELDS[key]) for row in part]
            if key in _FIELDS and isinstance(part, list)
            else _with_names(part)
            for key, part in value.items()
        }
    return [_with_names(part) for part in value] if isinstance(value, list) else value


def _named(row: Any, fields: tuple[str, ...]) -> Any:
    return dict(zip(fields, row, strict=False)) if isinstance(row, list) and len(row) <= len(fields) else row
