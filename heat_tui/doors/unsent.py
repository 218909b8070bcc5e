"""What a connection has to send and its peer does not read."""

from __future__ import annotations

from asyncssh.connection import SSHConnection


def unsent_bytes(connection: SSHConnection) -> int:
    """Count the bytes of a connection that the system has not taken yet; asyncssh has no bound for them."""
    transport = connection._transport
    return transport.get_write_buffer_size() if transport is not None else 0
