"""The banned networks, in a file beside the store: one a line, with a note after `#`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from heat_core.files import shown_path, write_whole
from heat_server.networks import BadNetwork, Network, NetworkTable, network_text, parse_network
from heat_server.places import usual_store
from heat_server.store.address import DatabaseUrl

MOST_BANS = 10_000
MOST_NOTE_CHARACTERS = 100


class BadBanList(Exception):
    """The file cannot be used; the message says where and why in one line."""


class BanList:
    """All bans of a server.

    Attributes:
        networks: With the note of each; for looking only, `add` and `remove` change them.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Read the bans; none where there is no file yet.

        Args:
            path: The file; None: bans end with the server.

        Raises:
            BadBanList: There is one and it cannot be read.
        """
        self.networks: NetworkTable[str] = NetworkTable()
        self._path = path
        if path is None:
            return
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            raise BadBanList(f"{shown_path(path)}: {reason}") from None
        for number, line in enumerate(text.splitlines(), 1):
            word, _, note = line.partition("#")
            if word.strip():
                try:
                    self.networks.put(parse_network(word), note.strip()[:MOST_NOTE_CHARACTERS])
                except BadNetwork as error:
                    raise BadBanList(f"{shown_path(path)}: line {number}: {error}") from None

    def __iter__(self) -> Iterator[tuple[Network, str]]:
        """List networks and notes, in order of address."""
        return iter(sorted(self.networks, key=lambda entry: (entry[0].version, entry[0])))

    def add(self, network: Network, note: str) -> None:
        """Ban a network, or give its ban another note.

        Raises:
            OSError: The file cannot be written; the ban holds until the server ends.
        """
        self.networks.put(network, note)
        self._write()

    def remove(self, network: Network) -> bool:
        """Lift a ban; tell whether there was one of exactly this network.

        Raises:
            OSError: The file cannot be written; the ban is lifted until the server ends.
        """
        if not self.networks.remove(network):
            return False
        self._write()
        return True

    def _write(self) -> None:
        """Put a new file in the old one's place, whole or not at all."""
        if self._path is None:
            return
        lines = [
            f"{network_text(network)}  # {note}" if note else network_text(network) for network, note in self
        ]
        write_whole(self._path, "".join(f"{line}\n" for line in lines).encode(), is_synced=True)


def ban_file_of(store: Path | DatabaseUrl | None) -> Path | None:
    """Give the file of bans of a server that keeps its matches in a store; None: it keeps nothing.

    A database has no folder: the list is where it would be beside a file in the usual place.
    """
    if store is None:
        return None
    file = store if isinstance(store, Path) else usual_store()
    return file.with_name(f"{file.name}.banned")
