"""Which versions of what are installed, and which extras are not."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from heat_core.version import engine_build, program_version
from heat_tui.doctor.findings import Finding
from heat_tui.installation import Requirement, installer, line_for, requirements

_WHAT_FOR = {
    "cluster": "python -m heat_core tournament --cluster: studies on many machines",
    "serve": "heat-tui serve: your own client in browsers",
    "doors": "heat-tui serve: friends by ssh and in browsers",
    "postgres": "heat-server --store postgresql://...",
    "rl": "heat_core.rl: agents that learn",
    "parquet": "python -m heat_core columns: Parquet files",
}


def part_findings() -> list[Finding]:
    """Name program, Python, what they stand on, and the extras that are installed or not."""
    needed = dict(requirements())
    own = needed.pop("", ())
    cpu = f"{platform.system()} {platform.release()}, {platform.machine()}"
    return [
        Finding("heat-tui", f"{program_version()}, engine {engine_build()}, installed by {installer()}"),
        Finding("Python", f"{platform.python_version()} ({platform.python_implementation()}); {cpu}"),
        Finding("needs", _versions(own)),
        *(_extra(name, parts) for name, parts in sorted(needed.items())),
        *_missing([name for name, parts in sorted(needed.items()) if not _is_there(parts)]),
    ]


def _extra(name: str, parts: tuple[Requirement, ...]) -> Finding:
    """Say whether an extra is there; one that is not hurts nobody's play, so that its line is no advice."""
    if _is_there(parts):
        return Finding(f"extra {name}", _versions(parts))
    use = f" ({_WHAT_FOR[name]})" if name in _WHAT_FOR else ""
    return Finding(f"extra {name}", f"not installed{use}")


def _missing(names: Sequence[str]) -> list[Finding]:
    """Say once how extras are installed, in the words of whatever installed the program."""
    if not names:
        return []
    if installer() == "checkout":
        line = "make serve installs serve and doors; make lint all of them, with the tools of developers"
    else:
        line = f"{line_for('NAME')}, with the extra in place of NAME"
    return [Finding("to install extras", line)]


def _is_there(parts: Sequence[Requirement]) -> bool:
    return all(part.version for part in parts)


def _versions(parts: tuple[Requirement, ...]) -> str:
    return ", ".join(f"{part.name} {part.version or 'is missing'}" for part in parts) or "not known"
