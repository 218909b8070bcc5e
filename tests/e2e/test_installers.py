"""The wheel and the sdist, installed by each tool that people install programs by, from the package index.

Each begins with an empty environment and gets what the project needs by itself, so that the bounds in the
package are tried as well. That takes minutes and the network: `make soak` alone runs it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.away import Programs, in_folder, race_and_serve
from tests.installed import CLEAN, ROOT, build

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]

HOMES = {"UV_TOOL_DIR": "uv", "UV_TOOL_BIN_DIR": "bin", "PIPX_HOME": "pipx", "PIPX_BIN_DIR": "bin"}


def do(path: Path, *words: str | Path) -> None:
    """Run an installer; it keeps what it installs below a folder.

    Raises:
        AssertionError: It failed; with what it printed.
    """
    homes = {name: str(path / folder) for name, folder in HOMES.items()}
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=path, env=CLEAN | homes, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stdout, done.stderr)


def by_pip(path: Path, what: str) -> Programs:
    do(path, sys.executable, "-m", "venv", path / "venv")
    do(path, path / "venv" / "bin" / "python", "-m", "pip", "install", what)
    return in_folder(path / "venv" / "bin")


def by_uv_tool(path: Path, what: str) -> Programs:
    do(path, "uv", "tool", "install", what)
    return in_folder(path / "bin")


def by_uv_tool_with_lowest_versions(path: Path, what: str) -> Programs:
    do(path, "uv", "tool", "install", "--resolution", "lowest-direct", what)
    return in_folder(path / "bin")


def by_pipx(path: Path, what: str) -> Programs:
    do(path, "pipx", "install", what)
    return in_folder(path / "bin")


def by_uvx(path: Path, what: str) -> Programs:
    return Programs(("uvx", "--from", what, "heat-tui"), ("uvx", "--from", what, "heat-server"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build both of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    return {target: build(target, ROOT, folder / target) for target in ("wheel", "sdist")}


@pytest.mark.parametrize("target", ["wheel", "sdist"])
@pytest.mark.parametrize(
    ("tool", "install"),
    [
        (sys.executable, by_pip),
        ("uv", by_uv_tool),
        ("uv", by_uv_tool_with_lowest_versions),
        ("uvx", by_uvx),
        ("pipx", by_pipx),
    ],
    ids=["pip", "uv tool", "lowest versions", "uvx", "pipx"],
)
def test_what_a_tool_installs_races_and_serves(
    files: dict[str, Path], target: str, tool: str, install: Callable[[Path, str], Programs], tmp_path: Path
) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed here")
    race_and_serve(install(tmp_path, f"{files[target]}[doors]"), tmp_path)
