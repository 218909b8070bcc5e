"""An update of which parts are encoded before the rest: what many receivers share is encoded once."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from heat_core.view.race_view import OwnView, RaceView
from heat_core.wire.messages.from_server import ServerMessage
from heat_core.wire.messages.values import Standstill, StrictMessage

encode_part = msgspec.msgpack.Encoder().encode

_NIL: Final = encode_part(None)
_FIELDS: Final = RaceView.__struct_fields__
_BEHIND_OWN: Final = _FIELDS[_FIELDS.index("own") + 1 :]


class EncodedUpdate(StrictMessage, frozen=True, tag="update"):
    """An `Update`, field by field, with what is large encoded already; the same bytes are sent."""

    number: int
    events: msgspec.Raw
    view: msgspec.Raw
    decisions: msgspec.Raw
    away: msgspec.Raw
    standstill: Standstill | None


Sendable: TypeAlias = ServerMessage | EncodedUpdate
"""What a server may send."""


class EncodedView:
    """A spectator's view in bytes, of which the view of each seat is made."""

    def __init__(self, public: RaceView) -> None:
        """Encode what is the same for everybody: what stands before a seat's own part, and behind it."""
        whole = encode_part(public)
        self._behind = b"".join(
            [encode_part(name) + encode_part(getattr(public, name)) for name in _BEHIND_OWN]
        )
        assert whole.endswith(_NIL + self._behind)
        self._before = whole[: -len(_NIL + self._behind)]

    def with_own(self, own: OwnView | None) -> msgspec.Raw:
        """Give the view of a seat, or with None that of a spectator."""
        return msgspec.Raw(self._before + (_NIL if own is None else encode_part(own)) + self._behind)
