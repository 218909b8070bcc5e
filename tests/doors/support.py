"""A door that stands open for a test, and guests who come by asyncssh's client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import asyncssh

from heat_core.wire.address import Address
from heat_tui.doors.guest_folders import GuestFolders
from heat_tui.doors.host_key import host_key
from heat_tui.doors.house import House, HouseSettings
from heat_tui.doors.login import Login
from heat_tui.doors.news import News
from heat_tui.doors.programs import FORK_SERVER
from heat_tui.doors.settings import SshSettings
from heat_tui.doors.ssh import SshDoor
from tests.tui.support_app import until

ECHO: Final = "tests.doors.echo"
PASSWORD: Final = "kqtm-7w3x"


KeyOrPair: TypeAlias = asyncssh.SSHKey | asyncssh.SSHKeyPair


class OpenDoor(NamedTuple):
    """A door, and how it is reached.

    Attributes:
        news: What it has told its host.
    """

    door: SshDoor
    house: House
    port: int
    news: list[News]
    path: Path

    @property
    def login(self) -> Login:
        """The only one."""
        ((inside, _),) = self.house._inside.values()
        assert isinstance(inside, Login)
        return inside

    @property
    def told(self) -> list[str]:
        return [news.text for news in self.news]


@asynccontextmanager
async def open_door(
    path: Path,
    *,
    password: str | None = PASSWORD,
    server: Address | None = None,
    keys: Iterable[asyncssh.SSHKey] | None = None,
    authorized: str = "",
    most_logins: int = 30,
    most_from_address: int = 30,
    idle_seconds: float = 1800.0,
    with_client: bool = False,
    door_socket: Path | None = None,
) -> AsyncIterator[OpenDoor]:
    """Open a door; its logins are those of `echo`, or with the client the real ones."""
    lines = authorized + "".join(key.export_public_key().decode() for key in keys or ())
    settings = SshSettings(
        host="127.0.0.1",
        port=0,
        password=password,
        is_password_shown=False,
        authorized_keys=None if keys is None and not authorized else asyncssh.import_authorized_keys(lines),
    )
    server = server or Address("127.0.0.1", 1)
    limits = HouseSettings(server, most_logins, most_from_address, idle_seconds, door_socket)
    told: list[News] = []
    house = House(limits, GuestFolders(path / "guests"), told.append, FORK_SERVER if with_client else ECHO)
    door = SshDoor(settings, host_key(path / "door"), house)
    try:
        await door.open()
        yield OpenDoor(door, house, door.port, told, path)
    finally:
        await door.close()


class Answers(asyncssh.SSHClient):
    """Answers what the door asks, one after the other.

    Attributes:
        asked: All that it has asked.
        told: What it has said before each question.
    """

    def __init__(self, answers: Iterable[str] = (), password: str | None = None) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.told: list[str] = []
        self._password = password
        self._is_first = True

    def kbdint_auth_requested(self) -> str | None:
        is_first, self._is_first = self._is_first, False
        return "" if is_first and self._password is None else None

    def password_auth_requested(self) -> str | None:
        password, self._password = self._password, None
        return password

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Any
    ) -> list[str] | None:
        self.told.append(instructions)
        self.asked += [prompt for prompt, _ in prompts]
        return [self.answers.pop(0) if self.answers else "" for _ in prompts]


class Guest:
    """Somebody who has logged in with a terminal.

    Attributes:
        text: All that came so far.
        code: The exit code, once it has ended.
    """

    def __init__(
        self, connection: asyncssh.SSHClientConnection, process: asyncssh.SSHClientProcess[bytes]
    ) -> None:
        self.connection = connection
        self.process = process
        self.text = ""
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(asyncssh.Error, OSError):
            while data := await self.process.stdout.read(65_536):
                self.text += data.decode(errors="replace")

    @property
    def facts(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text.split("facts ", 1)[1].splitlines()[0])
        return found

    async def shows(self, text: str) -> None:
        await until(lambda: text in self.text)

    def press(self, keys: str) -> None:
        self.process.stdin.write(keys.encode())

    async def ends(self) -> int | None:
        await self._reading
        await self.process.wait_closed()
        return self.process.exit_status

    async def leave(self) -> None:
        self.connection.close()
        await self.connection.wait_closed()
        self._reading.cancel()


@asynccontextmanager
async def connected(
    door: OpenDoor,
    username: str,
    answers: Iterable[str] = (PASSWORD,),
    *,
    keys: Iterable[KeyOrPair] = (),
    password: str | None = None,
    come_from: str = "127.0.0.1",
) -> AsyncIterator[tuple[asyncssh.SSHClientConnection, Answers]]:
    client = Answers(answers, password)
    connection, _ = await asyncssh.create_connection(
        lambda: client,
        "127.0.0.1",
        door.port,
        local_addr=(come_from, 0),
        username=username,
        client_keys=list(keys) or None,
        known_hosts=None,
        config=None,
        agent_path=None,
        preferred_auth="publickey,password" if password is not None else "publickey,keyboard-interactive",
    )
    try:
        yield connection, client
    finally:
        connection.close()
        await connection.wait_closed()


@asynccontextmanager
async def guest(
    door: OpenDoor,
    username: str,
    answers: Iterable[str] = (PASSWORD,),
    *,
    command: str | None = None,
    keys: Iterable[KeyOrPair] = (),
    password: str | None = None,
    come_from: str = "127.0.0.1",
    term: str = "xterm-256color",
    size: tuple[int, int] = (80, 24),
    modes: dict[int, int] | None = None,
    environment: dict[str, str] | None = None,
) -> AsyncIterator[Guest]:
    """Log in with a terminal."""
    async with connected(door, username, answers, keys=keys, password=password, come_from=come_from) as (
        connection,
        _,
    ):
        process = await connection.create_process(
            command,
            term_type=term,
            term_size=size,
            term_modes=modes or {},
            env=environment or {},
            encoding=None,
            stderr=asyncssh.STDOUT,
        )
        yield Guest(connection, process)
