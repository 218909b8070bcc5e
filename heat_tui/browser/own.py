"""One's own client in browsers: the door without guests, for whoever serves and has the link."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from heat_core.wire.address import Address
from heat_tui.doors.guest_folders import GuestFolders, Known
from heat_tui.doors.house import House, HouseSettings
from heat_tui.doors.news import News

_NOWHERE = Address("", 0)


class _Tabs(GuestFolders):
    """Knows every tab again, and has no folder for any: all have the owner's files."""

    def of_key(self, fingerprint: str) -> Known:
        """Give what stands for the folder of a tab; it is never made."""
        return Known(Path(hashlib.sha256(fingerprint.encode()).hexdigest()), "")


class OwnHouse(House):
    """A house whose owner is alone in it, in as many tabs as may be."""

    def __init__(self, words: Sequence[str], most_tabs: int, tell: Callable[[str], None]) -> None:
        """Prepare; `open` loads the client.

        Args:
            words: Of the command line that each tab runs.
            tell: Is called with what goes wrong.
        """

        def warn(news: News) -> None:
            if news.kind == "warning":
                tell(news.text)

        settings = HouseSettings(_NOWHERE, most_tabs, most_tabs, math.inf)
        super().__init__(settings, _Tabs(Path()), warn, "heat_tui.own_program", words)
