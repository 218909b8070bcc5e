"""Passwords of private rooms: saved as slow hashes with a salt, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from typing import Final

_SALT_BYTES: Final = 16
_COST: Final = 2**10
"""A few milliseconds: nothing for one who comes in, much for one who tries them all on a stolen file."""


def hash_password(password: str | None) -> bytes | None:
    """Give what may be saved of a password; None: there is none."""
    if password is None:
        return None
    salt = secrets.token_bytes(_SALT_BYTES)
    return salt + _hash(password, salt)


def is_password(password: str | None, hashed: bytes) -> bool:
    """Tell whether this is the password that `hash_password` was given."""
    if password is None:
        return False
    return hmac.compare_digest(_hash(password, hashed[:_SALT_BYTES]), hashed[_SALT_BYTES:])


def _hash(password: str, salt: bytes) -> bytes:
    composed = unicodedata.normalize("NFC", password)  # keyboards differ in how they write an accent
    return hashlib.scrypt(composed.encode(), salt=salt, n=_COST, r=8, p=1, dklen=32)
