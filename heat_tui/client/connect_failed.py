"""Why no connection was made, in words."""

from __future__ import annotations

from typing import Final, NamedTuple

from heat_core.wire.address import Address

_WHY: Final = (
    "Perhaps the host has set up the server again. Perhaps somebody between you and it tries to read or "
    "change what you send."
)
_WHAT_TO_DO: Final = (
    "Ask the host for the fingerprint, not over this connection. If it is the one that the server shows now, "
    "connect by this line, and the new certificate is saved:"
)


class Notice(NamedTuple):
    """What must not be overlooked, for a box of its own."""

    title: str
    lines: tuple[str, ...]


def end_notice(text: str) -> Notice:
    """Give the notice that a server has ended a stay, and why, in one sentence."""
    return Notice("The connection has ended", (text,))


class ConnectFailed(Exception):
    """No connection was made.

    Attributes:
        text: Why, in one line for people.
        is_final: Whether trying again is of no use.
        notice: The whole of it, where one line does not say enough.
    """

    notice: Notice | None = None

    def __init__(self, text: str, *, is_final: bool = False) -> None:
        """Note why."""
        super().__init__(text)
        self.text = text
        self.is_final = is_final


class CertificateChanged(ConnectFailed):
    """The server has another certificate than the one that it is known by; nothing was sent to it.

    Attributes:
        page: The whole warning, line by line.
        outcome: What came of it, in one short sentence, where the warning is shown too.
    """

    def __init__(self, address: Address, expected: str, shown: str, *, is_invited: bool) -> None:
        """Say what has changed, why that may be, and what to do.

        Args:
            address: The server's.
            expected: The fingerprint that it is known by.
            shown: That of the certificate that it showed.
            is_invited: The expected one is from an invitation; else it was saved at an earlier visit.
        """
        changed = "is not that of the invitation" if is_invited else "has changed"
        super().__init__(
            f"The certificate of {address} {changed}, so nothing was sent. The server may have been set up "
            "again, or somebody may be reading your connection. Ask its host for a new invitation.",
            is_final=True,
        )
        came = "In the invitation" if is_invited else "Saved at an earlier visit"
        self.page = (
            f"WARNING: the certificate of {address} {changed}. Nothing was sent there.",
            f"{came}: {expected}",
            f"Shown by the server now: {shown}",
            _WHY,
            _WHAT_TO_DO,
            f"heat-tui connect {address}#{shown}",
        )
        self.notice: Notice = Notice("The certificate has changed", self.page)
        self.outcome = f"Not connected to {address}, because of its certificate."
