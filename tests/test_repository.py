"""The repository itself: its list of requirements, its packages, and what must not be in its files."""

import re
import subprocess
import sys
import tomllib
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
    assert [
        name for name, _ in read_requirements() if not re.fullmatch(r"[A-Z]+-[1-9][0-9]*(\.[1-9])?", name)
    ] == []


def test_no_file_names_the_machine_it_was_made_on() -> None:
    folders = "|".join(["wo" + "rk", "ro" + "ot"])
    machine_path = re.compile(rf"(?<![\w./~-])/(?:{folders})/[\w.]".encode())
    assert [str(path) for path in tracked_files() if machine_path.search(path.read_bytes())] == []


def pins(lock: str) -> dict[str, str]:
    """Give what a lock pins, as version by name."""
    text = (ROOT / "locks" / f"{lock}.lock").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return dict(line.split()[0].split("==") for line in lines if not line.startswith(" "))


@pytest.mark.parametrize("name", ["run", "serve", "dev", "build", "lowest", "peers", "uv"])
def test_a_lock_pins_with_hashes_and_names_no_host(name: str) -> None:
    text = (ROOT / "locks" / f"{name}.lock").read_text(encoding="utf-8")
    assert pins(name)
    assert [pin for pin in pins(name) if not re.fullmatch(r"[a-z0-9-]+(\[\w+\])?", pin)] == []
    for entry in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in entry
    assert not re.search(r"://|--index|--find-links|--extra", text)


def test_what_only_serves_builds_or_tests_is_not_needed_to_race() -> None:
    """Each lock holds the one before it, in the same versions."""
    run, serve, build, dev, peers = (pins(name) for name in ("run", "serve", "build", "dev", "peers"))
    assert run.items() < serve.items()
    assert serve.items() | build.items() < dev.items()
    assert run.items() | build.items() < peers.items()
    assert {"aiohttp", "asyncssh", "segno"} <= serve.keys() - run.keys()
    assert {"hatchling", "uv", "pytest", "aiohttp"}.isdisjoint(run)


def lower_bounds() -> dict[str, str]:
    """Give the lower bound of each package that pyproject.toml gives one; an exact version is one too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked: list[object] = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for extra in project["project"]["optional-dependencies"].values():
        asked += extra
    for group in project["dependency-groups"].values():
        asked += group
    said = (
        re.fullmatch(r"([\w-]+)(?:\[\w+\])?(?:[>=]=([\d.]+))?", text)
        for text in asked
        if isinstance(text, str)
    )
    return {match[1]: match[2] for match in said if match and match[2]}


def test_the_lowest_versions_that_are_allowed_are_those_that_the_tests_of_the_lowest_run_with() -> None:
    """`make lowest` runs with locks/lowest.lock; a bound that was lowered since would be proven by nobody."""
    lowest = pins("lowest")

    def parts(version: str) -> list[int]:
        numbers = [int(number) for number in version.split(".")]
        return numbers + [0] * (4 - len(numbers))

    bounds = lower_bounds()
    assert {"click", "textual", "trio", "hatchling", "aiohttp", "pytest"} <= bounds.keys()
    assert {
        name: lowest.get(name) for name in bounds if parts(lowest.get(name, "0")) != parts(bounds[name])
    } == {}


def test_the_commands_of_the_readme_are_in_the_makefile() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL) + re.findall(r"`(make [a-z]+)`", readme)
    commands = set(re.findall(r"\bmake ([a-z]+)", "\n".join(blocks)))
    assert {"play", "test"} <= commands
    assert [name for name in commands if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


def test_a_folder_or_file_named_like_a_target_hides_none() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    targets = re.findall(r"^([a-z]+):.*##", makefile, re.MULTILINE)
    assert sorted(" ".join(phony).split()) == sorted(targets)


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


@pytest.mark.parametrize("name", ["smoke", "written"])
def test_every_test_of_a_list_is_there(name: str) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--collect-only",
        "-p",
        "no:cacheprovider",
        f"@tests/{name}.txt",
    ]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-500:]


def test_nothing_in_the_folder_of_tests_hides_a_module_of_python() -> None:
    """`make spec` runs a script there, which imports from its own folder first."""
    names = {path.stem for path in (ROOT / "tests").iterdir()}
    assert not names & sys.stdlib_module_names
