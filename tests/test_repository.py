"""The repository itself: its list of requirements, its packages, and what must not be in its files."""

import re
import subprocess
from collections import Counter
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

from tests.spec_list import read_requirements

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def test_no_requirement_stands_twice() -> None:
    counts = Counter(identifier for identifier, _ in read_requirements())
    assert [identifier for identifier, count in counts.items() if count > 1] == []


def test_requirements_are_well_formed() -> None:
    assert [name for name, _ in read_requirements() if not re.fullmatch(r"[A-Z]+-[1-9][0-9]*", name)] == []


def test_no_file_names_the_machine_it_was_made_on() -> None:
    folders = "|".join(["wo" + "rk", "ro" + "ot"])
    machine_path = re.compile(rf"(?<![\w./~-])/(?:{folders})/".encode())
    assert [str(path) for path in tracked_files() if machine_path.search(path.read_bytes())] == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_the_lock_pins_with_hashes_and_names_no_host(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    pins = [line for line in lines if not line.startswith(" ")]
    assert pins
    assert [pin for pin in pins if not re.match(r"[a-z0-9-]+(\[\w+\])?==\S+ ", pin)] == []
    assert text.count("--hash=sha256:") >= len(pins)
    assert not re.search(r"://|--index|--find-links|--extra", text)


def test_the_commands_of_the_readme_are_in_the_makefile() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL) + re.findall(r"`(make [a-z]+)`", readme)
    commands = set(re.findall(r"\bmake ([a-z]+)", "\n".join(blocks)))
    assert {"play", "test"} <= commands
    assert [name for name in commands if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


@pytest.mark.parametrize("package", ["heat_core", "heat_server", "heat_tui"])
def test_the_packages_are_importable(package: str) -> None:
    assert import_module(package).__name__ == package


def test_the_tracks_are_found_as_a_resource_of_the_package() -> None:
    shipped = {entry.name for entry in files("heat_core").joinpath("tracks").iterdir()}
    boards = ["usa", "gb", "italy", "france", "japan", "mexico", "spain", "netherlands"]
    assert shipped >= {f"{board}.json" for board in boards}


@pytest.mark.parametrize("mark", ['spec("CORE-1", "CORE-99")', "spec()"])
def test_a_mark_that_names_no_requirement_is_refused(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini(
        "[pytest]\nmarkers = spec: as in the project\nasyncio_default_fixture_loop_scope = function\n"
    )
    pytester.makeconftest("from tests.conftest import pytest_make_collect_report\n")
    pytester.makepyfile(f"import pytest\n\n@pytest.mark.{mark}\ndef test_x():\n    pass\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*names no requirement of tests/spec.txt*"])
