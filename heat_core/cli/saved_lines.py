"""Results of long work, from which it continues: JSON, a line for the heading and one for each result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

import msgspec

from heat_core.files import require_regular, shown_path

Heading = TypeVar("Heading", bound=msgspec.Struct)
Line = TypeVar("Line", bound=msgspec.Struct)


class BadLines(ValueError):
    """A file that holds no such lines, or those of other work; the text says which."""


class SavedLines(Generic[Line]):
    """A file of results, open to add more.

    Attributes:
        lines: What it had when it was opened.
    """

    def __init__(self, lines: list[Line], output: BinaryIO) -> None:
        """Take over an open file; `open_lines` makes one."""
        self.lines = lines
        self._output = output

    def add(self, line: Line) -> None:
        """Write one result, at once: the next moment may bring an end."""
        self._output.write(msgspec.json.encode(line) + b"\n")
        self._output.flush()


@contextmanager
def open_lines(path: Path, heading: msgspec.Struct, kind: type[Line]) -> Iterator[SavedLines[Line]]:
    """Read a file's results and open it to add more; a new one gets the heading.

    Half a line at its end, which a program that was killed leaves behind, is removed.

    Args:
        heading: What the work is: results of other work are refused.
        kind: Of a line.

    Raises:
        BadLines: The file is none of these, or of other work.
        OSError: It cannot be read or written.
    """
    require_regular(path)
    with path.open("ab+") as output:
        output.seek(0)
        lines: list[Line] = []
        if data := output.read():
            whole = data.rfind(b"\n") + 1
            found, lines = _decode(path, data[:whole], type(heading), kind)
            if found != heading:
                differences = ", ".join(_differences(found, heading))
                raise BadLines(f"{shown_path(path)}: these are results of other work: {differences}")
            output.truncate(whole)
        else:
            output.write(msgspec.json.encode(heading) + b"\n")
        yield SavedLines(lines, output)


def read_lines(path: Path, heading: type[Heading], kind: type[Line]) -> tuple[Heading, list[Line]]:
    """Read a file's heading and results, whatever work they are of.

    Raises:
        BadLines: The file is none of these.
        OSError: It cannot be read.
    """
    require_regular(path)
    return _decode(path, path.read_bytes(), heading, kind)


def _decode(path: Path, data: bytes, heading: type[Heading], kind: type[Line]) -> tuple[Heading, list[Line]]:
    first, *lines = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    try:
        found = msgspec.json.decode(first, type=heading)
        return found, [msgspec.json.decode(line, type=kind) for line in lines]
    except msgspec.MsgspecError:
        raise BadLines(f"{shown_path(path)}: this is no file of results") from None


def _differences(found: msgspec.Struct, wanted: msgspec.Struct) -> Iterator[str]:
    """Name what two headings differ in, with both values."""
    for field in wanted.__struct_fields__:
        one, other = (msgspec.json.encode(getattr(heading, field)).decode() for heading in (found, wanted))
        if one != other:
            yield f"{field} is {one} there and {other} here"
