"""How a set-up, its drivers, and the events of a step become the bytes that the store holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from heat_core.drivers import DriverName
from heat_core.race.dump import BytesDecoder
from heat_core.race.events import Event
from heat_core.race.events.older import EventsDecoder
from heat_core.race.setup import RaceSetup
from heat_server.store.errors import StoreDamaged

Value = TypeVar("Value")

_ENCODER: Final = msgspec.msgpack.Encoder()
_SETUP_DECODER: Final = msgspec.msgpack.Decoder(RaceSetup)
_DRIVERS_DECODER: Final = msgspec.msgpack.Decoder(dict[int, DriverName])
_EVENTS_DECODER: Final = EventsDecoder(msgspec.msgpack.Decoder(list[Event]))


def encode_setup(setup: RaceSetup) -> bytes:
    """Write a set-up, its seed too."""
    return _ENCODER.encode(setup)


def decode_setup(data: bytes) -> RaceSetup:
    """Read a set-up.

    Raises:
        StoreDamaged: They are damaged or from another version; the text does not name the file.
    """
    return _decode(_SETUP_DECODER, data, "set-up is")


def encode_drivers(drivers: Mapping[int, DriverName]) -> bytes:
    """Write who decides for each seat."""
    return _ENCODER.encode(drivers)


def decode_drivers(data: bytes) -> dict[int, DriverName]:
    """Read who decides for each seat.

    Raises:
        StoreDamaged: They are damaged or from another version; the text does not name the file.
    """
    return _decode(_DRIVERS_DECODER, data, "drivers are")


def encode_events(events: Sequence[Event]) -> bytes:
    """Write the events of a step, unmasked."""
    return _ENCODER.encode(events)


def decode_events(data: bytes) -> list[Event]:
    """Read the events of a step.

    Raises:
        StoreDamaged: They are damaged or from another version; the text does not name the file.
    """
    return _decode(_EVENTS_DECODER, data, "events are")


def _decode(decoder: BytesDecoder[Value], data: bytes, what: str) -> Value:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, RecursionError):
        raise StoreDamaged(f"the saved {what} damaged or from another version") from None
