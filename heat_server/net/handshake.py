"""The handshake of TLS, over a connection that gives and takes bytes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from heat_server.net.tls import HUNG_UP, PLAIN, Tls, speaks_tls


async def shake_hands(
    tls: Tls,
    first: bytes,
    receive: Callable[[], Awaitable[bytes | bytearray]],
    send_pending: Callable[[Tls], None],
) -> str:
    """Go on with the handshake until it is through.

    Args:
        tls: Before its handshake.
        first: What the client has said by now.
        receive: Waits for more; empty: the client has closed its side.
        send_pending: Sends what TLS has to say.

    Returns:
        Why it is not through, as a code; "": it is.
    """
    try:
        data = first or await receive()
        if data and not speaks_tls(data):
            return PLAIN
        while data:
            fault = tls.take(data)
            send_pending(tls)
            if fault or tls.is_ready:
                return fault
            data = await receive()
    except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
        pass
    return HUNG_UP
