"""The three commands of a fresh machine: `make play`, `make test` and `make host`; and what others say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.test_main_terminal import Terminal

ROOT = Path(__file__).resolve().parents[2]

CLEAN = {
    key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV", "MAKE"))
}

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="this system has no make")


class MakeTerminal(Terminal):
    """A target of the Makefile in a terminal."""

    def __init__(self, checkout: Path, target: str, *arguments: str, **variables: str) -> None:
        self._checkout = checkout
        super().__init__([target, f"ARGS={' '.join(arguments)}"], checkout.parent, variables)

    def command(self, arguments: list[str]) -> list[str]:
        return ["make", "-C", str(self._checkout), *arguments]


def races_and_hosts(checkout: Path, seconds: float, **variables: str) -> None:
    """Let `make play` race at once, and `make host` start a server and a client at it."""
    targets = (("play", "--laps", "1"), "SHIFT"), (("host", "--name", "Ana"), "To join: heat-tui connect")
    for (target, *arguments), shows in targets:
        program = MakeTerminal(checkout, target, *arguments, HEAT_TUI_NO_LAN="1", **variables)
        try:
            program.wait_for(shows, seconds)
            program.press("\x03")
            assert program.wait() == 2, "what make says of any program that did not end with 0"
            assert "Traceback" not in program.text
        finally:
            program.close()


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """What a checkout has of make once its environment is built: here the one that the tests run in."""
    checkout = tmp_path / "checkout"
    (checkout / ".venv").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copyfile(ROOT / name, checkout / name)
    shutil.copytree(ROOT / "locks", checkout / "locks")
    (checkout / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    for ready in (".run-ready", ".serve-ready", ".dev-ready"):
        (checkout / ".venv" / ready).touch()
    return checkout


def test_make_races_and_hosts(built: Path) -> None:
    races_and_hosts(built, 30, PYTHONPATH=str(ROOT))


def test_make_clean_removes_what_was_compiled_without_an_environment(tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "Makefile", tmp_path / "Makefile")
    rules = tmp_path / "heat_core" / "rules"
    rules.mkdir(parents=True)
    source, other = rules / "draft.py", tmp_path / "other.so"
    made = [tmp_path / "heat_core__mypyc.so", rules / "draft.abi3.so", rules.parent / "compiled.txt"]
    for file in (source, other, *made):
        file.touch()
    subprocess.run(["make", "-C", str(tmp_path), "clean"], env=CLEAN, check=True, capture_output=True)
    assert [file for file in (source, other, *made) if file.exists()] == [source, other]


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.spec("APP-2")
def test_a_fresh_checkout_races_hosts_and_tests_itself(tmp_path: Path) -> None:
    """Takes what the locks name from the package index; nothing of this machine's environment is used."""
    checkout = tmp_path / "fresh"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
    races_and_hosts(checkout, 500, PYTHONPATH="")
    few = "ARGS=-p no:cacheprovider -n 1 --no-cov tests/core/test_rng.py"
    done = subprocess.run(
        ["make", "-C", str(checkout), "test", few], env=CLEAN, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_a_row_that_the_table_of_speed_lacks_is_answered_by_those_that_it_has() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "engine"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    first, *rows = done.stderr.splitlines()
    assert first == "No row has 'engine' in its name. The rows are:"
    assert any("decisions a second" in row for row in rows)
    assert any("server: restart" in row for row in rows)
