"""The fingerprint of a server's certificate, as invitations and announcements show it."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

_BYTES: Final = 16
"""Of SHA-256, as `sha-256-128` of RFC 6920: what nobody can forge, and short enough for a line to pass on."""

_CHARACTERS: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def fingerprint_of(certificate: bytes) -> str:
    """Give the fingerprint of a certificate in DER: 22 letters, digits, dashes and underscores."""
    return urlsafe_b64encode(sha256(certificate).digest()[:_BYTES]).rstrip(b"=").decode()


def is_fingerprint(text: str) -> bool:
    """Tell whether a text can be one."""
    return _CHARACTERS.fullmatch(text) is not None
