"""The version of the program, as installed."""

from __future__ import annotations

from importlib import metadata


def program_version() -> str:
    """Give the version, or "unknown" in a checkout that was never installed."""
    try:
        return metadata.version("heat-tui-race")
    except metadata.PackageNotFoundError:
        return "unknown"
