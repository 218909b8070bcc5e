"""The other servers of a shared store, as far as the rooms of one know them."""

from __future__ import annotations

from typing import Protocol


class OtherServers(Protocol):
    """Who takes rooms in place of this server."""

    def elsewhere(self) -> str:
        """Give the address of the server that takes new rooms in place of this one; "": this one does."""

    def heir(self) -> str:
        """Give the address of the server that takes rooms with races, too; "": this one does."""

    def rooms_elsewhere(self) -> int:
        """Say how many rooms the others have."""
