"""The format in which tables and seasons are saved: a format number, and a digest of what follows.

A dump is a msgpack map of three: `format`, a number that goes up whenever the body's form changes; `digest`,
the SHA-256 of the body; `body`, the value itself. The number is read first, so that bytes of a newer version
are refused as such; the digest then finds every byte that was changed or cut off.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol, TypeVar

import msgspec

from heat_core.race.rules_version import refusal_of_rules
from heat_core.shapes import shown_reason

Value = TypeVar("Value")
Decoded = TypeVar("Decoded", covariant=True)


class BadDump(ValueError):
    """Bytes that are no race, table or season, or one of another version."""


class OtherVersion(BadDump):
    """Another version wrote or began it; the text names both versions."""


def require_rules_version(version: int) -> None:
    """See that a race or season was begun by the rules that this version plays (CORE-17).

    Raises:
        OtherVersion: It was not, so it would continue otherwise than it began.
    """
    if reason := refusal_of_rules(version):
        raise OtherVersion(reason)


class BytesDecoder(Protocol[Decoded]):
    """What makes a value of bytes."""

    def decode(self, data: bytes, /) -> Decoded:
        """Make a value, or raise what msgspec raises."""


class _Head(msgspec.Struct):
    format: int


class _Sealed(_Head):
    digest: bytes
    body: bytes


def seal(number: int, value: msgspec.Struct) -> bytes:
    """Make a dump of a value; equal values give equal bytes.

    Args:
        number: Of the format.
    """
    body = _ENCODER.encode(value)
    return _ENCODER.encode(_Sealed(number, sha256(body).digest(), body))


def format_of(data: bytes) -> int:
    """Give the number of a dump's format, which its digest does not cover.

    Args:
        data: A dump that `unseal` has read.
    """
    return _HEAD_DECODER.decode(data).format


def unseal(
    data: bytes,
    what: str,
    number: int,
    decoder: BytesDecoder[Value],
    older: tuple[int, ...] = (),
) -> Value:
    """Bring the value of a dump back.

    Args:
        what: What it should be, in a word.
        number: Of the format that is written.
        decoder: Of the value.
        older: Numbers of formats that are read too: what they lack is what the fields are by themselves.

    Raises:
        BadDump: The bytes are damaged, or of another version.
    """
    try:
        version = _HEAD_DECODER.decode(data).format
        if version not in (number, *older):
            raise OtherVersion(f"{what} format {version}; this version reads format {number}")
        sealed = _DECODER.decode(data)
        if sha256(sealed.body).digest() != sealed.digest:
            raise BadDump(f"no {what}: it was changed since it was written")
        return decoder.decode(sealed.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDump(f"no {what}: {shown_reason(error)}") from None


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Sealed)
_HEAD_DECODER = msgspec.msgpack.Decoder(_Head)
