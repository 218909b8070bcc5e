"""The version of the program, as installed: of client, server and the engine's own commands alike."""

from __future__ import annotations


def program_version() -> str:
    """Give the version, or "unknown" in a checkout that was never installed."""
    from importlib import metadata  # only here: it would make every start slower

    try:
        return metadata.version("heat-tui-race")
    except metadata.PackageNotFoundError:
        return "unknown"
