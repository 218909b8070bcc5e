"""The wheel of the running version, made again out of the files that run.

A wheel is a zip of a package's files beside a list of their digests. All of that lies where the program is
installed, and in a checkout that `make` has built: so whoever plays can give the program on, without a
package index or the tools that built it. A compiled engine is left out, since it suits one platform alone;
its sources are there, and the wheel plays everywhere. The same files give the same bytes.
"""

from __future__ import annotations

import asyncio
import base64
import io
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple

from heat_core.compiled import COMPILED_NOTES
from heat_tui.installation import PROJECT

MOST_BYTES: Final = 32 << 20
"""Of all files together; they take a tenth of that."""

_PACKAGES: Final = ("heat_core", "heat_server", "heat_tui")
_HOME: Final = Path(__file__).resolve().parent.parent
_TAG: Final = "py3-none-any"
_COMPILED: Final = (".so", ".pyd")
_KEPT: Final = ("METADATA", "entry_points.txt")
_LICENSES: Final = "licenses"
_TIME: Final = (2020, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16


class NoWheel(Exception):
    """There can be no wheel; the text says why in one sentence."""


class Wheel(NamedTuple):
    """A wheel.

    Attributes:
        name: Of its file; installers read the version from it.
        data: What is in the file.
    """

    name: str
    data: bytes


class WheelOffer:
    """The wheel of the running version for everybody who asks; it is made when somebody first does."""

    def __init__(self, home: Path = _HOME) -> None:
        """Prepare.

        Args:
            home: The folder that the packages lie in.
        """
        self._home = home
        self._making: asyncio.Task[Wheel] | None = None

    async def wheel(self) -> Wheel:
        """Give the wheel, from another thread where it must be made first, or again after a fault.

        Raises:
            NoWheel: It cannot be made.
        """
        if self._making is None or (self._making.done() and self._making.exception() is not None):
            self._making = asyncio.create_task(asyncio.to_thread(make_wheel, self._home))
        # One who hangs up must not take it from the others who wait.
        return await asyncio.shield(self._making)


def wheel_name() -> str:
    """Give the name of the file, which is known before it is made.

    Raises:
        NoWheel: The program is not installed.
    """
    return _file_name(_installed())


def make_wheel(home: Path = _HOME) -> Wheel:
    """Make the wheel; takes some tenths of a second.

    Args:
        home: The folder that the packages lie in.

    Raises:
        NoWheel: The program is not installed, or its files cannot be read.
    """
    installed = _installed()
    about = f"{_stem(installed)}.dist-info"
    try:
        files = dict(_files(home))
        descriptions = {f"{about}/{name}": data for name, data in _descriptions(installed)}
    except OSError as error:
        raise NoWheel(f"{error.filename} cannot be read: {error.strerror}.") from None
    if sum(map(len, files.values())) > MOST_BYTES:
        raise NoWheel(f"The program's folders hold more than {MOST_BYTES >> 20} MiB: not only the program.")
    files |= descriptions
    record = f"{about}/RECORD"
    files[record] = "".join([*map(_line, files.items()), f"{record},,\n"]).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.external_attr = _MODE
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return Wheel(_file_name(installed), packed.getvalue())


def _installed() -> metadata.Distribution:
    try:
        return metadata.distribution(PROJECT)
    except metadata.PackageNotFoundError:
        raise NoWheel("The program is not installed here: `make play` builds it.") from None


def _stem(installed: metadata.Distribution) -> str:
    return f"{PROJECT.replace('-', '_')}-{installed.version}"


def _file_name(installed: metadata.Distribution) -> str:
    return f"{_stem(installed)}-{_TAG}.whl"


def _files(home: Path) -> Iterator[tuple[str, bytes]]:
    """Give name and content of each file of the packages, in the order of their names."""
    for package in _PACKAGES:
        for path in sorted(_below(home / package)):
            yield path.relative_to(home).as_posix(), path.read_bytes()


def _below(folder: Path) -> Iterator[Path]:
    """List the files that belong to a package: neither what Python or a compiler made, nor hidden ones.

    Links to folders are followed: in a checkout the boards are behind one.
    """
    for path in folder.iterdir():
        if path.name.startswith((".", "__pycache__")) or path.name == COMPILED_NOTES:
            continue
        if path.is_dir():
            yield from _below(path)
        elif path.suffix not in _COMPILED:
            yield path


def _descriptions(installed: metadata.Distribution) -> Iterator[tuple[str, bytes]]:
    """Give what installers read, with their names: as it was installed, but for the platform."""
    for name in _KEPT:
        yield name, (installed.read_text(name) or "").encode()
    about = f"Wheel-Version: 1.0\nGenerator: {PROJECT}\nRoot-Is-Purelib: true\nTag: {_TAG}\n"
    yield "WHEEL", about.encode()
    for path in installed.files or []:
        if len(path.parts) > 2 and path.parts[-2] == _LICENSES:
            yield f"{_LICENSES}/{path.name}", Path(str(installed.locate_file(path))).read_bytes()


def _line(item: tuple[str, bytes]) -> str:
    """Write the line of a file in the list of digests."""
    name, data = item
    digest = base64.urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"
