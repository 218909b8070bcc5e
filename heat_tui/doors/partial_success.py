"""A key that is not enough: the partial success of RFC 4252, section 5.1, which asyncssh never asks for.

The guest's program signs with the key, hears that more is needed, and goes on with what is left: a password.
So a guest proves who they are and that they may come in, without a question more than the password.
"""

from __future__ import annotations

from collections.abc import Callable

import asyncssh


def need_more_than_a_key(
    connection: asyncssh.SSHServerConnection, is_enough: Callable[[], bool], proven: Callable[[], None]
) -> None:
    """Go on asking after a key, where it is not enough.

    Args:
        is_enough: Is asked after each key that a guest has signed with.
        proven: Is called where it is not.
    """
    validate = connection.validate_public_key

    async def validated(username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
        is_valid = await validate(username, key_data, msg, signature)
        if not (is_valid and msg) or is_enough():  # without a message the program only asks for the key
            return is_valid
        proven()
        connection.send_userauth_failure(partial_success=True)
        return False  # the answer has been sent, and with it the request is over

    connection.validate_public_key = validated  # type: ignore[method-assign]  # asyncssh makes its connections
