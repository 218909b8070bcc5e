"""The program gives itself on: a wheel out of the files that run, the same wherever it is made."""

from __future__ import annotations

import asyncio
import io
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from heat_tui import own_wheel
from heat_tui.own_wheel import NoWheel, Wheel, WheelOffer, make_wheel
from tests.installed import ROOT, build, install, run

AGAIN = """
import sys
from heat_tui.own_wheel import make_wheel
wheel = make_wheel()
open(sys.argv[1] + "/" + wheel.name, "wb").write(wheel.data)
"""


@pytest.fixture(scope="module")
def own() -> Wheel:
    return make_wheel()


def contents(data: bytes) -> dict[str, bytes]:
    """Read all files of a wheel."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_checkout_gives_what_the_builder_builds(own: Wheel, tmp_path: Path) -> None:
    built = build("wheel", ROOT, tmp_path)
    assert own.name == built.name
    ours, theirs = contents(own.data), contents(built.read_bytes())
    assert ours.keys() == theirs.keys()
    about = own.name.removesuffix("-py3-none-any.whl") + ".dist-info"
    assert ours[f"{about}/WHEEL"].endswith(b"Root-Is-Purelib: true\nTag: py3-none-any\n")
    # The builder writes its own name, and METADATA may be newer than what is installed here.
    differing = {name for name, data in ours.items() if data != theirs[name]}
    assert differing <= {f"{about}/WHEEL", f"{about}/RECORD", f"{about}/METADATA"}


def test_what_was_installed_from_it_makes_the_same_again(own: Wheel, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    file = tmp_path / "given" / own.name
    file.write_bytes(own.data)
    install(tmp_path / "venv", file)
    python = tmp_path / "venv" / "bin" / "python"
    assert run(tmp_path / "venv" / "bin" / "heat-tui", "--version", cwd=tmp_path).startswith("heat-tui ")
    run(python, "-c", AGAIN, tmp_path, cwd=tmp_path)
    assert (tmp_path / own.name).read_bytes() == own.data


def test_what_a_compiler_or_python_left_stays_out(tmp_path: Path) -> None:
    for package in ("heat_core", "heat_server", "heat_tui"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    core = tmp_path / "heat_core"
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "usa.json").write_text("{}")
    (core / "tracks").symlink_to("../boards")
    (core / "__pycache__").mkdir()
    for name in ("engine.cpython-311.so", "engine.pyd", "compiled.txt", ".notes", "__pycache__/a.pyc"):
        (core / name).write_text("left")
    names = [name for name in contents(make_wheel(tmp_path).data) if "dist-info" not in name]
    inits = [f"{package}/__init__.py" for package in ("heat_core", "heat_server", "heat_tui")]
    assert names == [inits[0], "heat_core/tracks/usa.json", *inits[1:]]


def test_it_is_made_once_off_the_loop_whoever_hangs_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def make(home: Path) -> Wheel:
        made.append(home)
        return Wheel("a.whl", b"data")

    monkeypatch.setattr(own_wheel, "make_wheel", make)

    async def ask() -> None:
        offer = WheelOffer()
        hangs_up = asyncio.create_task(offer.wheel())
        await asyncio.sleep(0)
        hangs_up.cancel()
        assert await asyncio.gather(*(offer.wheel() for _ in range(20))) == [Wheel("a.whl", b"data")] * 20
        assert len(made) == 1

    asyncio.run(ask())


def test_what_cannot_be_given_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(NoWheel, match=r"heat_core cannot be read: No such file or directory\.$"):
        make_wheel(tmp_path)
    for package in ("heat_core", "heat_server", "heat_tui"):
        (tmp_path / package).mkdir()
    (tmp_path / "heat_tui" / "film").write_bytes(bytes(100))
    monkeypatch.setattr(own_wheel, "MOST_BYTES", 99)
    with pytest.raises(NoWheel, match="not only the program"):
        make_wheel(tmp_path)

    def lost(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", lost)
    with pytest.raises(NoWheel, match="is not installed here"):
        make_wheel()
    with pytest.raises(NoWheel, match="is not installed here"):
        asyncio.run(WheelOffer().wheel())


def test_a_fault_that_passes_is_no_answer_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [NoWheel("A file cannot be read.")]

    def make(home: Path) -> Wheel:
        if faults:
            raise faults.pop()
        return Wheel("a.whl", b"data")

    monkeypatch.setattr(own_wheel, "make_wheel", make)

    async def ask() -> None:
        offer = WheelOffer()
        with pytest.raises(NoWheel):
            await offer.wheel()
        assert await offer.wheel() == Wheel("a.whl", b"data")

    asyncio.run(ask())


def test_a_license_that_is_gone_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    about = tmp_path / "heat_tui_race-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: heat-tui-race\nVersion: 1\n")
    (about / "RECORD").write_text(f"{about.name}/licenses/LICENSE,,\n")
    for package in ("heat_core", "heat_server", "heat_tui"):
        (tmp_path / package).mkdir()
    monkeypatch.setattr(metadata, "distribution", lambda name: metadata.Distribution.at(about))
    with pytest.raises(NoWheel, match=r"LICENSE cannot be read: No such file or directory\.$"):
        make_wheel(tmp_path)
