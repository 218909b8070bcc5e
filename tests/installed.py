"""Packages of the project, built and installed in environments of their own, far from this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

CLEAN = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
"""An environment in which nothing points at this checkout."""


def run(*words: str | Path, cwd: Path) -> str:
    """Run a program, and give what it printed.

    Raises:
        AssertionError: It ended with another status than 0; with its output.
    """
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=cwd, env=CLEAN, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def build(target: str, source: Path, folder: Path) -> Path:
    """Build the wheel or the sdist of a source tree into a folder that has none yet, and give the file."""
    run(sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder, cwd=source)
    (file,) = folder.glob({"wheel": "*.whl", "sdist": "*.tar.gz"}[target])
    return file


def install(home: Path, *project: str | Path) -> None:
    """Make an environment with the project alone; what it depends on is borrowed from where the tests run.

    Args:
        project: A wheel, or "--editable" and a source tree.
    """
    venv.create(home, with_pip=False, symlinks=True)
    (packages,) = home.glob("lib/python*/site-packages")
    # What a .pth file names comes behind the project's own, and .pth files in there, such as the one that
    # leads back to this checkout, are not read.
    lent = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "borrowed.pth").write_text("\n".join(lent) + "\n")
    options = ["--disable-pip-version-check", "--python", str(home / "bin" / "python"), "install"]
    options += ["--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed"]
    run(sys.executable, "-m", "pip", *options, *project, cwd=home.parent)
