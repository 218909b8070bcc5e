"""The bans of a store in a file, in a text file beside it: one network a line, with a note after `#`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from heat_core.files import shown_path, write_whole
from heat_server.networks import BadNetwork, Network, in_order, network_text, parse_network
from heat_server.store.bans import MOST_BANS, MOST_NOTE_CHARACTERS, BanListFull, StoredBans
from heat_server.store.errors import StoreDamaged, StoreFailed


def ban_file_of(store: Path) -> Path:
    """Give the file of bans of a store."""
    return store.with_name(f"{store.name}.banned")


def read_bans(path: Path) -> StoredBans:
    """Read all bans; none where there is no file yet.

    Raises:
        StoreDamaged: The file is not such a list; the text says where.
        StoreFailed: It cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise StoreFailed(_fault(path, error)) from None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise StoreDamaged(f"{shown_path(path)}: not UTF-8 text") from None
    notes: dict[Network, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        word, _, note = line.partition("#")
        if word.strip():
            try:
                notes[parse_network(word)] = note.strip()[:MOST_NOTE_CHARACTERS]
            except BadNetwork as error:
                raise StoreDamaged(f"{shown_path(path)}: line {number}: {error}") from None
    return StoredBans(hashlib.sha256(data).hexdigest(), notes)


def put_bans(path: Path, notes: Mapping[Network, str]) -> None:
    """Ban networks; the file is written anew as a whole.

    Raises:
        BanListFull: There would be too many.
        StoreFailed: The file cannot be read or written.
    """
    all_notes = {**read_bans(path).notes, **notes}
    if len(all_notes) > MOST_BANS:
        raise BanListFull("the list of bans is full")
    _write(path, all_notes)


def lift_ban(path: Path, network: Network) -> bool:
    """Lift a ban; tell whether there was one.

    Raises:
        StoreFailed: The file cannot be read or written.
    """
    notes = read_bans(path).notes
    if notes.pop(network, None) is None:
        return False
    _write(path, notes)
    return True


def _write(path: Path, notes: Mapping[Network, str]) -> None:
    """Put a new file in the old one's place, whole or not at all, in order of address."""
    lines = [
        f"{network_text(network)}  # {notes[network]}" if notes[network] else network_text(network)
        for network in sorted(notes, key=in_order)
    ]
    try:
        write_whole(path, "".join(f"{line}\n" for line in lines).encode(), is_synced=True)
    except OSError as error:
        raise StoreFailed(_fault(path, error)) from None


def _fault(path: Path, error: OSError) -> str:
    return f"{shown_path(path)}: {error.strerror or error}"
