"""The wheel, installed in an environment of its own far from this checkout, plays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.test_main_terminal import Terminal

ROOT = Path(__file__).resolve().parents[2]

CLEAN = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
"""An environment in which nothing points at this checkout."""


def run(*words: str | Path, cwd: Path) -> str:
    """Run a program, and give what it printed; what it complains of fails the test."""
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=cwd, env=CLEAN, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, and install it alone; what it depends on is borrowed from where the tests run."""
    folder = tmp_path_factory.mktemp("elsewhere")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    home = folder / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    options = ["--disable-pip-version-check", "--python", str(home / "bin" / "python")]
    run(sys.executable, "-m", "pip", *options, "install", "--no-deps", "--no-index", wheel, cwd=folder)
    (packages,) = home.glob("lib/python*/site-packages")
    # What a .pth file names comes behind the wheel's own, and .pth files in there, such as the one that leads
    # back to this checkout, are not read.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home


class WheelTerminal(Terminal):
    """A program of the wheel in a terminal."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._home = home
        super().__init__(list(arguments), home.parent, {"PYTHONPATH": "", "HEAT_TUI_NO_LAN": "1"})

    def command(self, arguments: list[str]) -> list[str]:
        return [str(self._home / "bin" / "heat-tui"), *arguments]


@pytest.fixture
def server(place: Path) -> Iterator[str]:
    """Run the wheel's server, and give its address."""
    command = [str(place / "bin" / "heat-server"), "--host", "127.0.0.1", "--port", "0", "--no-lan"]
    command += ["--no-store", "--no-socket"]
    with subprocess.Popen(
        command, cwd=place, env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        found = re.search(r"port (\d+)", process.stdout.readline())
        assert found
        yield f"127.0.0.1:{found[1]}"
        process.terminate()
        assert process.wait(20) == 0


@pytest.mark.spec("APP-9")
def test_strict_types_and_borders_are_asked_for_of_all_that_is_shipped() -> None:
    """`make lint` runs both; here stands that no package can be left out of them unseen."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"} == shipped
    assert project["tool"]["mypy"]["strict"] is True
    assert shipped | {"tests"} == set(project["tool"]["mypy"]["files"])
    assert shipped == set(project["tool"]["importlinter"]["root_packages"])
    lint = re.search(
        r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert lint
    assert "/mypy\n" in lint[1]
    assert "/lint-imports " in lint[1]


@pytest.mark.spec("APP-9")
def test_the_borders_between_packages_are_kept() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c(['--no-logo'])"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout
    assert " 0 broken." in done.stdout


@pytest.mark.spec("APP-9")
def test_a_wheel_installed_elsewhere_plays(place: Path, server: str, tmp_path: Path) -> None:
    python = place / "bin" / "python"
    found = run(
        python, "-c", "import heat_core, heat_server, heat_tui; print(heat_tui.__file__)", cwd=tmp_path
    )
    assert Path(found.strip()).is_relative_to(place)

    version = run(place / "bin" / "heat-tui", "--version", cwd=tmp_path).split()[-1]
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert run(place / "bin" / "heat-server", "--version", cwd=tmp_path).split()[-1] == version
    assert version in run(python, "-m", "heat_core", "--version", cwd=tmp_path)

    tracks = run(python, "-m", "heat_core", "tracks", cwd=tmp_path)
    for track in (ROOT / "tracks").glob("*.json"):
        assert re.search(rf"^\s*{track.stem}\b", tracks, re.MULTILINE), tracks
    words = ["simulate", "--races", "1", "--laps", "1", "--seed", "1", "--garage", "mixed", "--expansion"]
    told = run(python, "-m", "heat_core", *words, "--weather", cwd=tmp_path)
    assert "1 races on usa, 1 laps" in told

    for arguments, shows in ((("play", "--laps", "1"), "SHIFT"), (("connect", server), "Open a room")):
        program = WheelTerminal(place, *arguments)
        try:
            program.wait_for(shows)
            program.press("\x03")
            assert program.wait() == 130
            assert "Traceback" not in program.text
        finally:
            program.close()
