"""What each kind of message costs, counted in messages; the settings say how many a client can send.

docs/protocol.md says the same under Limits; a test compares the two.
"""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.wire.messages import (
    AskCatalogue,
    AskLegal,
    AskRecord,
    AskTrack,
    AskView,
    ClientMessage,
    Configure,
    Create,
    GiveTime,
    Join,
    Kick,
    ListRooms,
    ListTracks,
    Lock,
    Pause,
    PlaceBot,
    TakeSeat,
    Watch,
)

COSTS: Final[dict[type[msgspec.Struct], int]] = {
    TakeSeat: 5,
    Configure: 5,
    PlaceBot: 5,
    Pause: 5,
    Kick: 5,
    GiveTime: 5,
    ListRooms: 5,
    ListTracks: 5,
    AskCatalogue: 5,
    AskLegal: 5,
    Join: 10,
    Watch: 10,
    Create: 10,
    Lock: 10,
    AskTrack: 10,
    AskView: 10,
    AskRecord: 20,
}
"""Of the messages that make more work than others: what changes a room is saved, and goes to all in it."""

CONNECTION_COST: Final = 5
"""Of a new connection: its hello is read later where many come from one address."""

WRONG_MESSAGE_COST: Final = 2

BYTES_OF_A_MESSAGE: Final = 1024
"""A long frame counts for one message more with every so many bytes: it is work to find it wrong."""

WRONG_CODE_COST: Final = 40
"""Of a code that no room has, besides: nobody tries them all to wake those that sleep."""

WRONG_TOKEN_COST: Final = 20
"""Of a token that no player has, besides: in a fleet the database is asked for it."""

WRONG_PASSWORD_COST: Final = 100
"""Of a wrong password, besides: an address has two guesses a second."""


def cost_of(message: ClientMessage | None, payload_bytes: int) -> int:
    """Give what a frame counts for.

    Args:
        message: What was in it; None: nothing that fits.
        payload_bytes: The length of its payload.
    """
    cost = WRONG_MESSAGE_COST if message is None else COSTS.get(type(message), 1)
    return cost + payload_bytes // BYTES_OF_A_MESSAGE
