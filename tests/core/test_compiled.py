"""What runs compiled is the source that lies beside it, or nothing runs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import traceback
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from fast_build import MODULES, NOTES, _imported, compiler_problem, notes
from heat_core.compiled import HOME, is_compiled, require_same_source
from heat_core.engine import start_race, step
from heat_core.race.commands import ShiftGear
from heat_core.refusal import Refused
from heat_core.version import program_version, shown_version
from tests.core.support import setup_of

NOTE = Path(NOTES).name


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A package whose engine is compiled."""
    for name in ("engine", "track"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n")
        (tmp_path / f"{name}{EXTENSION_SUFFIXES[0]}").touch()
    (tmp_path / "facts.py").write_text("# facts\n")
    lines = []
    for kind, name in (("compiled", "engine.py"), ("imported", "facts.py"), ("compiled", "track.py")):
        lines.append(f"{sha256((tmp_path / name).read_bytes()).hexdigest()} {kind} {name}\n")
    (tmp_path / NOTE).write_text("".join(lines))
    return tmp_path


def test_what_was_compiled_from_this_source_runs(home: Path) -> None:
    require_same_source(str(home))
    assert is_compiled(str(home))


@pytest.mark.parametrize(
    "gone", ["track.py", f"track{EXTENSION_SUFFIXES[0]}", f"engine{EXTENSION_SUFFIXES[0]}", NOTE]
)
def test_another_source_is_refused_and_so_is_half_a_build(home: Path, gone: str) -> None:
    (home / gone).unlink()
    with pytest.raises(SystemExit, match="make fast"):
        require_same_source(str(home))


@pytest.mark.parametrize("name", ["facts.py", "track.py"])
def test_a_changed_source_is_named(home: Path, name: str) -> None:
    (home / name).write_text("# another\n")
    with pytest.raises(SystemExit, match=rf"another source \({name}\): run `make fast`.*`make plain`"):
        require_same_source(str(home))


def test_what_compiled_modules_import_is_noted_too() -> None:
    noted = {line.split()[2]: line.split()[1] for line in notes()}
    assert {path for path, kind in noted.items() if kind == "compiled"} == set(MODULES)
    assert noted["race/events/parts.py"] == noted["race/presets.py"] == "imported"
    assert "cli/simulate.py" not in noted


@pytest.mark.parametrize(
    "line",
    [
        "import heat_core.race.presets as presets",
        "from heat_core.race import presets",
        "import os, heat_core.race.presets",
    ],
)
def test_every_way_to_import_a_module_is_found(tmp_path: Path, line: str) -> None:
    source = tmp_path / "module.py"
    source.write_text(f"{line}\nimport json\n")
    assert Path(HOME, "race", "presets.py") in _imported(source)


def test_where_this_python_has_nothing_compiled_nothing_is_asked(home: Path) -> None:
    for name in ("engine", "track"):
        (home / f"{name}{EXTENSION_SUFFIXES[0]}").rename(home / f"{name}.cpython-39-of-another.so")
    (home / "track.py").write_text("# another\n")
    require_same_source(str(home))
    (home / NOTE).unlink()
    require_same_source(str(home))


def test_whoever_starts_a_program_then_reads_one_sentence(tmp_path: Path) -> None:
    shutil.copytree(HOME, tmp_path / "heat_core", ignore=shutil.ignore_patterns("*.so", "*.pyd", NOTE))
    (tmp_path / "heat_core" / f"engine{EXTENSION_SUFFIXES[0]}").touch()
    done = subprocess.run(
        [sys.executable, "-m", "heat_core", "--version"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "make fast" in done.stderr


def test_a_fault_is_shown_with_file_and_line() -> None:
    race, _ = start_race(setup_of())
    with pytest.raises(Refused) as caught:
        step(race, 0, ShiftGear(4))
    places = traceback.extract_tb(caught.tb)[1:]
    said = []
    for place in places:
        source = Path(HOME).parent / place.filename
        said.append(source.read_text(encoding="utf-8").splitlines()[(place.lineno or 0) - 1].strip())
    assert said[0].startswith("return _run_on(race, seat, verify(")
    assert said[-1].startswith("raise Refused(")


def test_the_version_says_how_the_engine_runs() -> None:
    how = "compiled" if is_compiled() else "in plain Python"
    assert shown_version() == f"{program_version()}, engine {how}"


def test_no_compiled_module_defines_a_struct_or_an_enum() -> None:
    """Compiled, they would lose the keywords of their class, or their words."""
    for path in MODULES:
        source = Path(HOME, path).read_text(encoding="utf-8")
        assert "msgspec.Struct" not in source, path
        assert "Enum" not in source, path


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    problem = compiler_problem()
    assert problem is not None
    assert "C compiler" in problem
