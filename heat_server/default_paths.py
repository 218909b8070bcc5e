"""The user's folders that the server reads and writes by default; none of them need exist."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from heat_core.files import track_folder_of, user_folder

PROGRAM: Final = "heat-server"


def default_config_file() -> Path:
    """Give the file of settings that is read when none is named."""
    return user_folder("config", PROGRAM) / "heat-server.toml"


def default_store() -> Path:
    """Give the file in which matches are saved when none is named."""
    return user_folder("data", PROGRAM) / "matches.sqlite3"


def default_socket() -> Path:
    """Give the socket through which a running server answers its operator."""
    return user_folder("state", PROGRAM) / "status.sock"


def default_certificate() -> Path:
    """Give the file of the certificate that the server makes for itself, with its key."""
    return user_folder("state", PROGRAM) / "certificate.pem"


def default_track_folder() -> Path:
    """Give the folder where tracks besides those of the game are looked for."""
    return track_folder_of(PROGRAM)
