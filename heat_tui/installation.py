"""How this program was installed, and by which line more of it is."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

PROJECT: Final = "heat-tui-race"

Installer: TypeAlias = Literal["checkout", "uv tool", "uvx", "pipx", "pip", "uv pip"]
"""What put the program where it is; `uvx` keeps nothing, `uv pip` makes environments without pip."""

_REQUIREMENT: Final = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)(?P<bounds>[^;]*)(?:;.*extra == ['\"](?P<extra>[\w-]+)['\"])?"
)


class Requirement(NamedTuple):
    """What the program or one of its extras needs.

    Attributes:
        name: Of a distribution.
        bounds: Which versions of it.
    """

    name: str
    bounds: str

    @property
    def version(self) -> str:
        """The version that is installed; empty: none is."""
        try:
            return metadata.version(self.name)
        except metadata.PackageNotFoundError:
            return ""


def requirements() -> Mapping[str, tuple[Requirement, ...]]:
    """List by extra what each needs, under "" what the program itself needs; nothing in a bare checkout."""
    try:
        lines = metadata.requires(PROJECT) or []
    except metadata.PackageNotFoundError:
        lines = []
    needed: dict[str, tuple[Requirement, ...]] = {}
    for line in lines:
        if found := _REQUIREMENT.match(line):
            extra = found["extra"] or ""
            needed[extra] = (*needed.get(extra, ()), Requirement(found["name"], found["bounds"].strip(" ()")))
    return needed


def installer(prefix: Path | None = None) -> Installer:
    """Tell what put the program where it is.

    Args:
        prefix: Of the environment; None: of this process.
    """
    prefix = prefix or Path(sys.prefix)
    if _origin().get("dir_info", {}).get("editable"):
        return "checkout"
    if (prefix / "uv-receipt.toml").exists():
        return "uv tool"
    if (prefix / "pipx_metadata.json").exists():
        return "pipx"
    if prefix.parent.name.startswith("archive-v"):  # in the cache of uv
        return "uvx"
    return "pip" if find_spec("pip") else "uv pip"


def line_for(extra: str) -> str:
    """Give the line that installs an extra, for whoever installed the program as it is here.

    It names the extras that are there, too: most tools make the environment anew.
    """
    there = {name for name, parts in requirements().items() if name and all(part.version for part in parts)}
    what = f"'{PROJECT}[{','.join(sorted(there | {extra}))}] @ {_source()}'"
    match installer():
        case "checkout":
            return "make serve" if extra in ("serve", "doors") else "make lint"
        case "uv tool":
            return f"uv tool install --force {what}"
        case "uvx":
            return f"uvx --from {what} heat-tui"
        case "pipx":
            return f"pipx install --force {what}"
        case "pip":
            return f"{sys.executable} -m pip install {what}"
        case "uv pip":
            return f"uv pip install --python {sys.executable} {what}"


def what_is_missing(package: str, what: str, extra: str) -> str:
    """Say that something needs a package that is not installed, and how to install it; empty: it is there.

    Args:
        what: Needs it, as the sentence begins.
        extra: Brings it.
    """
    if find_spec(package) is not None:
        return ""
    return f"{what} needs {package}, which is not installed. To install it: {line_for(extra)}"


def _source() -> str:
    """Name the file or address that the program was installed from, if that was noted."""
    return _origin().get("url") or "file:///FOLDER/FILE.whl"


def _origin() -> dict[str, Any]:
    """Read what the installer noted about where the program came from; empty: nothing."""
    try:
        noted = metadata.distribution(PROJECT).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return {}
    origin: dict[str, Any] = json.loads(noted) if noted else {}
    return origin
