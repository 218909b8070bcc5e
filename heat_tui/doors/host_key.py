"""The door's own key: made once, so that friends' programs know the door again."""

from __future__ import annotations

import os
from pathlib import Path

import asyncssh

from heat_core.files import shown_path, write_whole

_NAME = "ssh_host_key"


class BadHostKey(Exception):
    """There is a file, but no key in it, or it cannot be written; the text says so in one line."""


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Read the key, or make it; only this user can read the file.

    Raises:
        BadHostKey: Neither can be done.
    """
    path = folder / _NAME
    try:
        if path.exists():
            os.chmod(path, 0o600)
            return asyncssh.read_private_key(path)
        key = asyncssh.generate_private_key("ssh-ed25519", "heat-tui")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, key.export_private_key(), is_synced=True)
    except OSError as error:
        raise BadHostKey(f"{shown_path(path)}: {error.strerror}.") from None
    except asyncssh.KeyImportError:
        raise BadHostKey(
            f"{shown_path(path)} is not a key. Remove the file; a new key is then made."
        ) from None
    return key
