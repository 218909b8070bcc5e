"""The certificates by which servers are known: one `HOST:PORT FINGERPRINT` a line, as in ssh's known_hosts.

A server whose certificate no authority has signed is noted here when it is met for the first time. Where the
file cannot be read or written, nothing is known and nothing is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from heat_core.wire.address import Address
from heat_core.wire.fingerprint import is_fingerprint
from heat_tui.state import try_write

MOST_KNOWN: Final = 1_000
"""Then the one that was noted first is forgotten."""


class KnownServers:
    """The file."""

    def __init__(self, folder: Path | None) -> None:
        """Know what the file says whenever it is asked.

        Args:
            folder: For the state of the program; None: nothing is known, and nothing is kept.
        """
        self._path = None if folder is None else folder / "known_servers"

    def find(self, address: Address) -> str:
        """Give the fingerprint that a server is known by; "": it is not known."""
        return self._read().get(_key(address), "")

    def learn(self, address: Address, fingerprint: str) -> None:
        """Note by what a server is known from now on."""
        if self._path is None:
            return
        known = self._read()
        known.pop(_key(address), None)
        known[_key(address)] = fingerprint
        lines = [f"{place} {noted}\n" for place, noted in known.items()][-MOST_KNOWN:]
        try_write(self._path, "".join(lines).encode())

    def _read(self) -> dict[str, str]:
        if self._path is None:
            return {}
        try:
            words = [line.split() for line in self._path.read_text(encoding="utf-8").splitlines()]
        except (OSError, UnicodeDecodeError):
            return {}
        return {word[0]: word[1] for word in words if len(word) == 2 and is_fingerprint(word[1])}


def _key(address: Address) -> str:
    return address.place.lower()
