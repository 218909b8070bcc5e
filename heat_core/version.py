"""The version of the program, as installed: of client, server and the engine's own commands alike."""

from __future__ import annotations

from functools import cache

from heat_core.compiled import is_compiled


@cache
def program_version() -> str:
    """Give the version, or "unknown" in a checkout that was never installed."""
    from importlib import metadata  # only here: it would make every start slower

    try:
        return metadata.version("heat-tui-race")
    except metadata.PackageNotFoundError:
        return "unknown"


def engine_build() -> str:
    """Say how the engine runs: `compiled` or `in plain Python`."""
    return "compiled" if is_compiled() else "in plain Python"


def shown_version() -> str:
    """Give the version for people; it says how the engine runs."""
    return f"{program_version()}, engine {engine_build()}"
