"""Asking a running server as its operator does."""

from __future__ import annotations

from pathlib import Path

from heat_core.wire.operator import AskStatus, Status
from heat_server.operator.socket import ask_operator


def ask_status(path: Path) -> Status:
    """Ask how the server of a socket does."""
    status = ask_operator(path, AskStatus())
    assert isinstance(status, Status)
    return status
