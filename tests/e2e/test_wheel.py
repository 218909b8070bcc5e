"""The wheel, installed in an environment of its own far from this checkout, plays."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.e2e.away import in_folder, race_and_serve
from tests.installed import CLEAN, ROOT, build, install, run

SCRIPT = """
from heat_core.files import load_track, new_seed
from heat_core.race.presets import PRESETS
from heat_core.simulation import parse_drivers, simulate
from heat_server.config import ServerConfig
from heat_tui.state import Settings

drivers = parse_drivers("steady,random")
table, figures = next(simulate(load_track("usa"), 1, drivers, PRESETS["standard"], new_seed(), 1))
reveal_type(figures.races)
port: int = ServerConfig().port
name: str = Settings().name
wrong: str = figures.races
"""
"""As somebody would write it who uses the packages; its last line has a fault of types."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, and install it alone."""
    folder = tmp_path_factory.mktemp("elsewhere")
    install(folder / "venv", build("wheel", ROOT, folder))
    return folder / "venv"


@pytest.mark.spec("APP-9")
def test_strict_types_and_borders_are_asked_for_of_all_that_is_shipped() -> None:
    """`make lint` runs both; here stands that no package can be left out of them unseen."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"} == shipped
    assert project["tool"]["mypy"]["strict"] is True
    assert shipped | {"fast_build.py", "tests"} == set(project["tool"]["mypy"]["files"])
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
def test_a_wheel_installed_elsewhere_plays(place: Path, tmp_path: Path) -> None:
    python = place / "bin" / "python"
    found = run(
        python, "-c", "import heat_core, heat_server, heat_tui; print(heat_tui.__file__)", cwd=tmp_path
    )
    assert Path(found.strip()).is_relative_to(place)

    version = run(place / "bin" / "heat-tui", "--version", cwd=tmp_path).split(maxsplit=1)[1]
    assert re.fullmatch(r"\d+\.\d+\.\d+, engine in plain Python\n", version)
    assert run(place / "bin" / "heat-server", "--version", cwd=tmp_path).split(maxsplit=1)[1] == version
    assert version in run(python, "-m", "heat_core", "--version", cwd=tmp_path)

    tracks = run(python, "-m", "heat_core", "tracks", cwd=tmp_path)
    for track in (ROOT / "tracks").glob("*.json"):
        assert re.search(rf"^\s*{track.stem}\b", tracks, re.MULTILINE), tracks
    words = ["simulate", "--races", "1", "--laps", "1", "--seed", "1", "--garage", "mixed", "--expansion"]
    told = run(python, "-m", "heat_core", *words, "--weather", cwd=tmp_path)
    assert "1 race on usa, 1 lap," in told

    race_and_serve(in_folder(place / "bin"), tmp_path)


@pytest.mark.spec("APP-9")
def test_a_script_that_uses_the_wheel_is_checked_by_strict_types(place: Path, tmp_path: Path) -> None:
    """Without `py.typed` every import would be an error, and the script's own fault unseen."""
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    command += ["--python-executable", str(place / "bin" / "python"), "script.py"]
    done = subprocess.run(command, cwd=tmp_path, env=CLEAN, capture_output=True, text=True, timeout=100)
    revealed, wrong = done.stdout.splitlines()
    assert revealed.endswith('note: Revealed type is "int"')
    assert "error: Incompatible types in assignment" in wrong


@pytest.fixture
def without_links(tmp_path: Path) -> Path:
    """What a checkout without symbolic links has of what a build looks at."""
    tree = tmp_path / "checkout"
    for package in ("heat_core", "heat_server", "heat_tui"):
        (tree / package).mkdir(parents=True)
        (tree / package / "__init__.py").touch()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tree / name)
    shutil.copytree(ROOT / "tracks", tree / "tracks")
    (tree / "heat_core" / "tracks").write_text("../tracks")
    return tree


@pytest.mark.parametrize("words", [["-t", "wheel"], ["-t", "sdist"], ["-t", "wheel:editable"]], ids=str)
def test_a_build_without_the_boards_is_refused(words: list[str], without_links: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", *words]
    done = subprocess.run(command, cwd=without_links, capture_output=True, text=True, timeout=100)
    assert done.returncode == 1
    assert done.stderr.startswith("heat_core/tracks must be a symbolic link to tracks/")
    assert done.stderr.count("\n") == 1
    assert not list(without_links.glob("dist/*"))

    (without_links / "heat_core" / "tracks").unlink()
    (without_links / "heat_core" / "tracks").symlink_to("../tracks")
    done = subprocess.run(command, cwd=without_links, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr


def test_an_sdist_holds_what_its_tests_and_its_builds_need(tmp_path: Path) -> None:
    """All that git holds; and the boards at both places, for a link cannot be relied on there."""
    with tarfile.open(build("sdist", ROOT, tmp_path)) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    for board in (ROOT / "tracks").iterdir():
        assert {f"tracks/{board.name}", f"heat_core/tracks/{board.name}"} <= held
    for package in ("heat_core", "heat_server", "heat_tui"):
        assert f"{package}/py.typed" in held
    if (ROOT / ".git").exists():
        listing = run("git", "ls-files", "-z", cwd=ROOT)
        files = {name for name in listing.split("\0") if name and not (ROOT / name).is_dir()}
        assert files - held == set()
