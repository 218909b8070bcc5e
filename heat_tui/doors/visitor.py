"""Somebody at the door: a connection until somebody has logged in by it and asked for a terminal.

Theory of operation. A guest's key is believed only where the guest has signed with it. At an open door any
key is enough to come in, and one of the host's list at every door; with any other one the password is still
to come (`partial_success`). A key that is only named is forgotten at the next way in. Who has no key gives
the password, if there is one, and, where somebody without a key has been here under that name, the word that
was shown then; Enter alone comes in as somebody new. Who has typed NAME is asked for a name first. So nobody
finds a seat by a name or a public key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, TypeAlias

import asyncssh

from heat_core.names import BadName
from heat_core.wire.address import Address
from heat_core.wire.ip_numbers import number_of
from heat_tui.doors.entrance import Entrance, address_of
from heat_tui.doors.guest_folders import Known
from heat_tui.doors.house import House
from heat_tui.doors.login import Login
from heat_tui.doors.login_names import is_nameless, read_login, with_name
from heat_tui.doors.partial_success import need_more_than_a_key
from heat_tui.doors.unsent import unsent_bytes

REQUEST_SECONDS: Final = 10.0
"""How long a connection that has logged in may take to ask for a terminal."""

MOST_UNREAD_BYTES: Final = 2_097_152
"""Of answers that a guest's program asks for and does not read; a login's picture stops far below."""

LOOK_SECONDS: Final = 1.0

_MOST_KEYS: Final = 20
"""Which a guest's program offers one after the other; each that it signs with takes time to verify."""

_MOST_TRIES: Final = 6
_WRONG_SECONDS: Final = 0.5
"""A wrong password is answered so late."""

_Question: TypeAlias = tuple[str, str, str, list[tuple[str, bool]]]
"""Of SSH: a title, instructions, their language, and prompts with whether the answer is shown."""

_NAME: Final[_Question] = ("", "Replace NAME with your own name.", "", [("Your name: ", True)])
_WORD_HELP: Final = (
    "{driver} has been here before. If that was you, give the four letters that you were shown: a seat that "
    "you had is kept under them."
)
_PASSWORD: Final[_Question] = ("heat-tui", "", "", [("Password: ", False)])


class Visitor(asyncssh.SSHServer):
    """A connection to the door."""

    def __init__(
        self, house: House, entrance: Entrance, authorized_keys: asyncssh.SSHAuthorizedKeys | None
    ) -> None:
        """Wait at a door.

        Args:
            house: Where the guests are.
            entrance: Looks at who stands at the door.
            authorized_keys: The keys that open the door; None: none do.
        """
        self._house = house
        self._entrance = entrance
        self._authorized_keys = authorized_keys
        self._connection: asyncssh.SSHServerConnection | None = None
        self._address = ""
        self._username = ""
        self._fingerprint = ""
        self._proven = ""
        self._keys = 0
        self._known: Known | None = None
        self._tries = 0
        self._is_asked_for_word = False
        self._is_asked_for_name = False
        self._is_key_enough = False
        self._login: Login | None = None
        self._request_timer: asyncio.TimerHandle | None = None
        self._look_timer: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Count the connection, and turn it away where there are too many."""
        self._connection = conn
        self._address = address_of(conn.get_extra_info("peername")[0])
        if not self._entrance.connect(self._address):
            conn.abort()
        need_more_than_a_key(conn, self._opens_by_key, self._note_key)
        self._look()

    def _look(self) -> None:
        """Hang up on a program that asks and asks and reads no answer: they would fill the memory."""
        assert self._connection is not None
        if unsent_bytes(self._connection) > MOST_UNREAD_BYTES:
            self._connection.abort()
        else:
            self._look_timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out."""
        if self._address:
            self._entrance.disconnect(self._address)
        for timer in (self._request_timer, self._look_timer):
            if timer is not None:
                timer.cancel()

    # --- who it is ------------------------------------------------------------------------------------------

    def begin_auth(self, username: str) -> bool:
        """Ask for something in any case: a key that is never asked for finds no seat."""
        self._username = username
        self._proven = ""
        self._forget()
        return True

    def _forget(self) -> None:
        """Forget what was heard of keys and words: only what opens the door in the end counts."""
        self._fingerprint = ""
        self._known = None
        self._is_asked_for_word = False

    def public_key_auth_supported(self) -> bool:
        """Ask for a key until there is one: it is how its owner is known again."""
        return not self._proven

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Take any key: at an open door, and one of the host's list, it is enough."""
        self._forget()
        self._keys += 1
        if self._keys > _MOST_KEYS:
            return False
        self._fingerprint = key.get_fingerprint()
        self._is_key_enough = self._entrance.is_open or self._is_authorized(key)
        return True

    def _opens_by_key(self) -> bool:
        return self._is_key_enough

    def _note_key(self) -> None:
        """Remember a key that the guest has signed with; the password is still to come."""
        self._proven = self._fingerprint

    def _is_authorized(self, key: asyncssh.SSHKey) -> bool:
        assert self._connection is not None
        host = str(number_of(self._connection.get_extra_info("peername")[0]))
        keys = self._authorized_keys
        return keys is not None and keys.validate(key, host, host) is not None

    def password_auth_supported(self) -> bool:
        """Ask for the password, where there is one."""
        return not self._entrance.is_open

    async def validate_password(self, username: str, password: str) -> bool:
        """Look at a password; who gives it in this way and without a key is somebody new."""
        self._forget()
        self._fingerprint = self._proven
        return await self._is_right(password)

    def kbdint_auth_supported(self) -> bool:
        """Ask questions: for the password, and for the word."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool | _Question:
        """Ask the first question; with nothing to ask the guest is in."""
        self._forget()
        self._is_asked_for_name = is_nameless(self._username)
        return _NAME if self._is_asked_for_name else self._ask_for_password()

    def _ask_for_password(self) -> bool | _Question:
        if not self._entrance.is_open:
            return _PASSWORD
        return self._ask_for_word()

    async def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> bool | _Question:
        """Look at an answer, and ask the next question."""
        if len(responses) == 1 and self._is_asked_for_name:
            self._is_asked_for_name = False
            self._username = with_name(self._username, responses[0])
            return self._ask_for_password()
        if len(responses) != 1 or not (self._is_asked_for_word or await self._is_right(responses[0])):
            return False
        if not self._is_asked_for_word:
            self._fingerprint = self._proven
            return True if self._proven else self._ask_for_word()
        if not responses[0].strip():
            return True
        driver = read_login(self._username).driver
        self._known = self._house.folders.of_word(driver, responses[0], self._address)
        if self._known is not None:
            return True
        await self._be_slow()
        return False

    def _ask_for_word(self) -> bool | _Question:
        """Ask for the word where somebody has been here under that name; else the guest is in."""
        try:
            driver = read_login(self._username).driver
        except BadName:
            return True  # the login will say what is wrong
        if not self._house.folders.is_known(driver):
            return True
        self._is_asked_for_word = True
        prompt = f"Word of {driver}, or Enter to come in as somebody new: "
        return "", _WORD_HELP.format(driver=driver), "", [(prompt, True)]

    async def _is_right(self, password: str) -> bool:
        is_right = self._entrance.is_right(password, self._address)
        if not is_right:
            await self._be_slow()
        return is_right

    async def _be_slow(self) -> None:
        """Let whoever guesses wait, and hang up after some tries."""
        self._tries += 1
        await asyncio.sleep(_WRONG_SECONDS)
        if self._tries >= _MOST_TRIES and self._connection is not None:
            self._connection.close()

    def auth_completed(self) -> None:
        """Wait for the request for a terminal, but not for long."""
        loop = asyncio.get_running_loop()
        self._request_timer = loop.call_later(REQUEST_SECONDS, self._hang_up)

    def _hang_up(self) -> None:
        if self._connection is not None and (self._login is None or not self._login.has_begun):
            self._connection.close()

    # --- what is asked for ----------------------------------------------------------------------------------

    def session_requested(self) -> Login | bool:
        """Give the only login that a connection has."""
        if self._login is not None or self._connection is None:
            return False
        here = Address(*self._connection.get_extra_info("sockname")[:2])
        host = self._connection.get_extra_info("peername")[0]
        self._login = Login(
            self._house, self._username, self._address, host, here, self._fingerprint, self._known
        )
        return self._login
