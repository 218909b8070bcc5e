"""The log may be lost; the races may not."""

from __future__ import annotations

import io

import pytest
import structlog

from heat_server.log import configure_log


class _Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


def test_a_log_that_cannot_be_written_is_lost_without_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    before = structlog.get_config()
    monkeypatch.setattr("sys.stderr", _Full())
    try:
        configure_log()
        structlog.get_logger().info("connected", connection=1)
    finally:
        structlog.configure(**before)
