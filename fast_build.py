"""Compile the modules that races spend their time in: `make fast`, `make plain`, and wheels for one platform.

mypyc compiles them as one group, so that they call each other directly. Modules that define msgspec structs
or enums stay as they are: compiled, they would lose the keywords of their class, or their words. Nothing of
heat_core is imported here, because it refuses to run where source and build differ.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent
PACKAGE: Final = "heat_core"
NOTES: Final = f"{PACKAGE}/compiled.txt"
"""A line for each source that goes in: digest, `compiled` or `imported`, path; for `heat_core.compiled`."""

_BY_FOLDER: Final = {
    "": "cards engine rng track",
    "bots/": "steady",
    "data/": "event_cards",
    "decisions/": "base cards discard gear giving_up kinds pick react slipstream swap unpaid value",
    "race/": "apply apply_modules apply_start bills cars normal_form state",
    "rollouts/": "dealing play seen",
    "rules/": "corners draft effects legends movement order phases piles preparing recorder sectors shifting"
    " sponsors start turn uses",
    "view/": "endings forecast observation odds secrecy traffic",
}

MODULES: Final = tuple(f"{folder}{name}.py" for folder, names in _BY_FOLDER.items() for name in names.split())

_INNER: Final = "--inner"
"""The word by which this program runs itself as a setup.py."""


def main() -> int:
    """Do what the command line asks, and give the status for the shell."""
    parser = argparse.ArgumentParser(description="Compile the engine, or remove what was compiled.")
    parser.add_argument("what", choices=["fast", "plain", "into"], help="here; not at all; into a folder")
    parser.add_argument("folder", nargs="?", type=Path, help="for `into`: where the compiled modules go")
    options = parser.parse_args()
    if options.what != "into":
        remove()
    if options.what == "plain":
        return 0
    problem = compiler_problem()
    if problem is None:
        print("compiling the engine (one to two minutes)", file=sys.stderr, flush=True)
        problem = compile_into(options.folder or ROOT)
    if problem is not None:
        print(f"{problem}\nThe engine was not compiled; it runs from its source.", file=sys.stderr)
        return 1
    print("the engine is compiled", file=sys.stderr)
    return 0


def remove() -> None:
    """Remove compiled modules and their notes, of every Python."""
    for suffix in ("so", "pyd"):
        for file in [*(ROOT / PACKAGE).rglob(f"*.{suffix}"), *ROOT.glob(f"{PACKAGE}__mypyc*.{suffix}")]:
            file.unlink()
    (ROOT / NOTES).unlink(missing_ok=True)


def compiler_problem() -> str | None:
    """Say what is missing to compile; None where nothing is."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if sys.platform != "win32" and shutil.which(compiler) is None:
        return f"There is no C compiler ({compiler}). Install one (Debian: apt install gcc)."
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    if not header.exists():
        return f"There is no {header}. Install Python's headers (Debian: apt install python3-dev)."
    return None


def compile_into(folder: Path) -> str | None:
    """Compile all modules, and note their sources.

    Args:
        folder: Gets them at the same places as in the checkout.

    Returns:
        What the compiler said, where it failed.
    """
    with tempfile.TemporaryDirectory(prefix="heat-fast-") as work:
        command = [sys.executable, __file__, _INNER, work]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            return f"{done.stdout}{done.stderr}"
        shutil.copytree(Path(work, "made"), folder, dirs_exist_ok=True)
    (folder / NOTES).write_text("".join(notes()), encoding="ascii")
    return None


def notes() -> Iterator[str]:
    """Note the compiled modules and what they import, by others too: its constants and fields go in."""
    found: set[Path] = set()
    waiting = [ROOT / PACKAGE / path for path in MODULES]
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            waiting += _imported(source)
    for source in sorted(found):
        path = source.relative_to(ROOT / PACKAGE).as_posix()
        kind = "compiled" if path in MODULES else "imported"
        yield f"{sha256(source.read_bytes()).hexdigest()} {kind} {path}\n"


def _imported(source: Path) -> Iterator[Path]:
    """List the sources of the package that a module imports from, or that it imports."""
    for node in ast.walk(ast.parse(source.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.split(".")[0] == PACKAGE:
                base = ROOT.joinpath(*name.split("."))
                yield from (file for file in (base.with_suffix(".py"), base / "__init__.py") if file.exists())


def set_up(work: str) -> None:
    """Do what a setup.py does, for setuptools: the only one that mypyc builds by."""
    from mypyc.build import mypycify
    from setuptools import setup  # type: ignore[import-untyped]  # because it brings no types

    # `make lint` checks strictly; here another version of mypy or msgspec may be at work.
    words = ["--config-file=", "--ignore-missing-imports", *(f"{PACKAGE}/{path}" for path in MODULES)]
    # With -O3 nothing runs faster, and it takes longer to compile.
    modules = mypycify(words, opt_level="1", debug_level="0", group_name=PACKAGE, target_dir=work)
    setup(
        name="heat-core-compiled",
        packages=[],
        ext_modules=modules,
        script_args=["build_ext", "--build-lib", f"{work}/made", "--build-temp", work],
    )


if __name__ == "__main__":
    if _INNER in sys.argv:
        set_up(sys.argv[-1])
    else:
        sys.exit(main())
