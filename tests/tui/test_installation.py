"""How the program was installed is seen, and more of it is named by a line for that."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest

from heat_tui import installation
from heat_tui.installation import PROJECT, installer, line_for, requirements

WHEEL = "file:///tmp/heat_tui_race-0.2.0-py3-none-any.whl"


class Distribution:
    """An installed program, as far as its origin goes."""

    def __init__(self, noted: str | None) -> None:
        self._noted = noted

    def read_text(self, name: str) -> str | None:
        return self._noted if name == "direct_url.json" else None


def version(name: str) -> str:
    """Give the version of what is installed."""
    if name == "not-there":
        raise metadata.PackageNotFoundError(name)
    return "1"


def come_from(monkeypatch: pytest.MonkeyPatch, origin: dict[str, object] | None, prefix: Path) -> None:
    """Have the program come from somewhere."""
    noted = Distribution(None if origin is None else json.dumps(origin))
    monkeypatch.setattr(metadata, "distribution", lambda name: noted)
    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(metadata, "requires", lambda name: ["not-there==1; extra == 'doors'"])
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "executable", str(prefix / "bin" / "python"))


@pytest.mark.parametrize(
    ("marker", "line"),
    [
        ("uv-receipt.toml", "uv tool install --force "),
        ("pipx_metadata.json", "pipx install --force "),
        ("pyvenv.cfg", "{python} -m pip install "),
    ],
)
def test_the_line_that_installs_more_fits_what_installed_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, marker: str, line: str
) -> None:
    monkeypatch.setattr(installation, "find_spec", lambda name: object())
    (tmp_path / marker).touch()
    come_from(monkeypatch, {"url": WHEEL}, tmp_path)
    start = line.format(python=tmp_path / "bin" / "python")
    assert line_for("doors") == f"{start}'{PROJECT}[doors] @ {WHEEL}'"


def test_extras_that_are_there_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    come_from(monkeypatch, {"url": WHEEL}, tmp_path)
    needs = [
        "textual==8",
        "rich; extra == 'there'",
        "click>=8; extra == 'there'",
        "not-there; extra == 'gone'",
    ]
    monkeypatch.setattr(metadata, "requires", lambda name: needs)
    assert f"'{PROJECT}[doors,there] @ {WHEEL}'" in line_for("doors")


def test_environments_that_uv_makes_have_no_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    come_from(monkeypatch, {"url": WHEEL}, tmp_path)
    assert line_for("serve").startswith(f"uv pip install --python {tmp_path}/bin/python ")
    come_from(monkeypatch, {"url": WHEEL}, tmp_path / "archive-v0" / "Kx")
    assert line_for("serve") == f"uvx --from '{PROJECT}[serve] @ {WHEEL}' heat-tui"


def test_a_checkout_is_built_by_make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    come_from(monkeypatch, {"url": "file:///races", "dir_info": {"editable": True}}, tmp_path)
    assert installer() == "checkout"
    assert line_for("doors") == "make serve"
    assert line_for("rl") == "make lint"


def test_without_a_note_the_file_is_left_to_the_reader(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    come_from(monkeypatch, None, tmp_path)
    assert line_for("doors").endswith("@ file:///FOLDER/FILE.whl'")


def test_what_is_needed_is_known_by_extra() -> None:
    needed = requirements()
    assert {"aiohttp", "asyncssh", "segno"} == {part.name for part in needed["doors"]}
    assert {"aiohttp", "segno"} == {part.name for part in needed["serve"]}
    assert {"textual", "trio", "click"} <= {part.name for part in needed[""]}
    assert all(part.version for part in needed[""])
    assert all(part.bounds.startswith("==") for part in needed["doors"] if part.name == "asyncssh")
