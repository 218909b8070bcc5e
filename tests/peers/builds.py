"""The builds of this engine that can run here: from its source, and compiled where `make fast` has been."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from heat_core.compiled import is_compiled

ROOT: Final = Path(__file__).resolve().parents[2]

_COMPILED: Final = ("*.so", "*.pyd", "compiled.txt")


@contextmanager
def source_home() -> Iterator[Path]:
    """Give a folder whose engine runs from its source; a copy where this one is compiled."""
    if not is_compiled():
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ignored = shutil.ignore_patterns(*_COMPILED, "__pycache__")
        shutil.copytree(ROOT / "heat_core", home / "heat_core", ignore=ignored)
        shutil.copytree(ROOT / "tests" / "peers", home / "tests" / "peers", ignore=ignored)
        shutil.copy(ROOT / "tests" / "__init__.py", home / "tests")
        yield home
