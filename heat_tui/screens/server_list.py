"""The lists of servers nearby, which change while somebody chooses from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

if TYPE_CHECKING:
    from heat_tui.nearby import NearbyServer


class ServerOption(Option):
    """A server of a list: who chooses it gets it, whatever stands at its place by then.

    Attributes:
        server: Which one.
    """

    def __init__(self, server: NearbyServer, line: Text) -> None:
        """Make the option; a server of another version cannot be chosen.

        Args:
            line: How the server is told.
        """
        super().__init__(line, disabled=not server.is_speaking_ours)
        self.server = server


def list_servers(listed: OptionList, servers: Sequence[ServerOption]) -> None:
    """List servers instead of those before; who is on one stays on it, and who is on none on the first."""
    chosen = listed.highlighted_option
    address = chosen.server.address if isinstance(chosen, ServerOption) else None
    free = [number for number, option in enumerate(servers) if not option.disabled]
    same = [number for number in free if servers[number].server.address == address]
    listed.clear_options()
    listed.add_options(servers)
    listed.highlighted = next(iter(same or free), None)
    listed.can_focus = bool(servers)
