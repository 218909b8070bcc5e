"""Each process of an evening over ssh is killed in a race: seats are found again, nothing is left running."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.test_client_together import server_on
from tests.e2e.test_ssh import Door, Ssh, all_end, needs_ssh, new_key, serving, ssh
from tests.patience import PATIENCE_SECONDS

pytestmark = [needs_ssh, pytest.mark.soak, pytest.mark.timeout(300)]

RACING: Final = "SHIFT GEARS"
NEXT: Final = "PLAY CARDS"


class Evening:
    """A server, a door to it, and two guests who race.

    Attributes:
        server: The process, which can be started again.
        door: The same.
        guests: Each in a terminal.
    """

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._path = path
        self._stack = stack
        self._keys = {name: new_key(path, name) for name in ("Ana", "Ben")}
        self.address, self.server = stack.enter_context(server_on(path / "store.sqlite3"))
        self.door: Door = stack.enter_context(serving(path, self.address))
        self.guests: dict[str, Ssh] = {}

    def start_server_again(self) -> None:
        _, self.server = self._stack.enter_context(server_on(self._path / "store.sqlite3", self.address.port))

    def start_door_again(self) -> None:
        self.door = self._stack.enter_context(serving(self._path, self.address))

    def log_in(self, login: str) -> Ssh:
        """Come by a key of one's own, and the password."""
        name = login.partition("+")[0]
        guest = self._stack.enter_context(ssh(self.door, login, "-o", f"IdentityFile={self._keys[name]}"))
        guest.log_in()
        self.guests[name] = guest
        return guest

    def race(self) -> None:
        """Meet in a room, and begin."""
        ana = self.log_in("Ana")
        ana.wait_for("Open a room")
        ana.press_until("\x1bOQ", "Turn time")
        found = re.search(r"Room (\w{5})\b", ana.text)
        assert found is not None
        ben = self.log_in(f"Ben+{found[1]}")
        ben.wait_for("Turn time")
        ben.press_until("r", "Not ready")
        ana.press_until("s", RACING)
        ben.wait_for(RACING)

    def come_back(self, name: str) -> None:
        """Type the same line again."""
        guest = self.log_in(name)
        guest.wait_for("Go back to room")
        guest.press_until("y", RACING)

    def race_on(self) -> None:
        """Shift gears, both of them: the seats are theirs, and the race goes on."""
        for guest in self.guests.values():
            guest.text = ""
        for _ in range(60):
            for guest in self.guests.values():
                guest.press("2\r")
                while guest.read(0.3):
                    pass
            if all(NEXT in guest.text for guest in self.guests.values()):
                return
        raise AssertionError([guest.text[-1500:] for guest in self.guests.values()])


@contextmanager
def evening(path: Path) -> Iterator[Evening]:
    with ExitStack() as stack:
        held = Evening(path, stack)
        held.race()
        yield held
        processes = [held.door.process.pid, *held.door.descendants()]
        held.door.process.terminate()
        held.door.process.wait(PATIENCE_SECONDS)
        assert all_end(processes)


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


def test_the_server_is_killed(tmp_path: Path) -> None:
    with evening(tmp_path) as held:
        logins = held.door.logins()
        kill(held.server.pid)
        for guest in held.guests.values():
            guest.wait_for("reconnecting")
        held.start_server_again()
        held.race_on()
        assert held.door.logins() == logins


def test_a_login_is_killed(tmp_path: Path) -> None:
    with evening(tmp_path) as held:
        bens = held.door.logins()[1]
        kill(bens)
        assert held.guests["Ben"].wait() == 128 + signal.SIGKILL
        assert all_end([bens])
        held.come_back("Ben")
        held.race_on()


def test_the_door_is_killed(tmp_path: Path) -> None:
    with evening(tmp_path) as held:
        processes = held.door.descendants()
        assert len(processes) == 3
        kill(held.door.process.pid)
        assert all_end(processes)
        assert [guest.wait() for guest in held.guests.values()] == [255, 255]
        held.start_door_again()
        for name in ("Ana", "Ben"):
            held.come_back(name)
        held.race_on()


def test_the_fork_server_is_killed(tmp_path: Path) -> None:
    with evening(tmp_path) as held:
        processes = held.door.descendants()
        kill(processes[0])
        for guest in held.guests.values():
            assert guest.wait() == 1
            assert "This door has a fault. Its host has been told." in guest.text
        assert all_end(processes)
        for name in ("Ana", "Ben"):
            held.come_back(name)
        held.race_on()
