"""Whether the engine runs compiled, and whether what was compiled is the source that lies beside it.

`fast_build.py` compiles the modules that a race spends its time in. It notes the digest of each source and of
what they import, whose constants and fields are compiled in. Python takes a compiled module before its
source, whatever that says by now; so the digests are compared before the first of them is imported.
"""

from __future__ import annotations

from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from os.path import dirname, exists, join
from typing import Final

HOME: Final = dirname(__file__)

COMPILED_NOTES: Final = "compiled.txt"
"""The file in the package that holds the digests."""


def is_compiled(home: str = HOME) -> bool:
    """Tell whether this Python takes the engine compiled.

    Args:
        home: The folder of the package.
    """
    return exists(join(home, f"engine{EXTENSION_SUFFIXES[0]}"))


def require_same_source(home: str = HOME) -> None:
    """See that what is compiled is the source; nothing where nothing is.

    Args:
        home: The folder of the package.

    Raises:
        SystemExit: It is not, so what would run is not what can be read. An ImportError would be a page of
            places in the code to whoever starts a program; this is one sentence.
    """
    changed = _changed(home)
    if changed:
        raise SystemExit(
            f"heat_core was compiled from another source ({', '.join(changed)}): "
            "run `make fast` to compile it again, or `make plain` to run it from the source."
        )


def _changed(home: str) -> list[str]:
    """List the modules whose source is another than what was compiled; none where nothing is compiled."""
    try:
        with open(join(home, COMPILED_NOTES), encoding="ascii") as notes:
            lines = notes.read().splitlines()
    except OSError:
        return [f"{COMPILED_NOTES} is missing"] if is_compiled(home) else []
    changed, is_any_compiled = [], False
    for line in lines:
        digest, kind, path = line.split(" ", 2)
        source = join(home, path)
        is_here = exists(source.removesuffix(".py") + EXTENSION_SUFFIXES[0])
        is_any_compiled |= is_here
        is_whole = is_here or kind == "imported"
        if not is_whole or not exists(source) or _digest_of(source) != digest:
            changed.append(path)
    # Notes alone are those of another Python, whose modules this one does not take.
    return changed if is_any_compiled else []


def _digest_of(source: str) -> str:
    with open(source, "rb") as file:
        return sha256(file.read()).hexdigest()
