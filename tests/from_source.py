"""Run the engine from its source where it is compiled too, so that both can be compared in one checkout."""

from __future__ import annotations

import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "heat_core"


def run_from_source() -> None:
    """Let this process find none of the compiled modules; before the first import of heat_core."""
    assert "heat_core" not in sys.modules
    sys.path_hooks.insert(0, _source_finder)


def _source_finder(path: str) -> FileFinder:
    if not Path(path).is_relative_to(PACKAGE):
        raise ImportError(f"{path} has no compiled modules of the engine")
    return FileFinder(path, (SourceFileLoader, SOURCE_SUFFIXES))
