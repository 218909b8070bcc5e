"""The secret of the link: made once, so that a link is still right when the door has been opened anew."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Final

from heat_core.files import shown_path, write_whole

_NAME: Final = "browser_secret"
_BYTES: Final = 16
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22,64}")


class BadSecret(Exception):
    """There is a file, but no secret in it, or it cannot be written; the text says so in one line."""


def new_secret() -> str:
    """Make a secret of 128 bits, of signs that an address may hold."""
    return secrets.token_urlsafe(_BYTES)


def link_secret(folder: Path) -> str:
    """Read the secret, or make it; only this user can read the file.

    Raises:
        BadSecret: Neither can be done.
    """
    path = folder / _NAME
    try:
        if path.exists():
            os.chmod(path, 0o600)
            text = path.read_bytes()[:100].decode(errors="replace").strip()
            if not _SECRET.fullmatch(text):
                what = f"{shown_path(path)} is not the secret of a link."
                raise BadSecret(f"{what} Remove the file; a new one is then made.")
            return text
        secret = new_secret()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, f"{secret}\n".encode(), is_synced=True)
    except OSError as error:
        raise BadSecret(f"{shown_path(path)}: {error.strerror}.") from None
    return secret
