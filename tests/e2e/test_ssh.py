"""The door with the `ssh` of OpenSSH, the real server and the real client, each a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Final

import pytest

from heat_core.wire.address import Address
from heat_tui.plain.line_terminal import PROMPT_SIGN
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import server_process
from tests.tui.support_plain import example_in, homes_in
from tests.tui.test_main_terminal import Terminal

needs_ssh = pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh of OpenSSH here")
pytestmark = needs_ssh

PASSWORD: Final = "kqtm-7w3x"
AT_THE_TERMINAL: Final = (
    sys.executable, "-c", "import os, sys; os.login_tty(os.dup(0)); os.execvp(sys.argv[1], sys.argv[1:])"
)  # fmt: skip
"""Runs a program with its input as the terminal that it belongs to: there ssh asks for passwords."""

PRESS_SECONDS: Final = 0.3
"""Between two keys: more of them would be ignored as no hand's."""

PROCESSES: Final = Path("/proc")


class Door:
    """A running `heat-tui serve --ssh`."""

    def __init__(self, process: subprocess.Popen[str], port: int, path: Path) -> None:
        self.process = process
        self.port = port
        self.path = path

    def descendants(self) -> list[int]:
        """List the fork server and the logins."""
        found, whole = [self.process.pid], []
        while found:
            found = [child for process in found for child in _children(process)]
            whole += found
        return whole

    def logins(self) -> list[int]:
        (fork_server,) = _children(self.process.pid)
        return _children(fork_server)


def _children(process: int) -> list[int]:
    try:
        found = (PROCESSES / str(process) / "task" / str(process) / "children").read_text()
    except OSError:
        return []
    return [int(word) for word in found.split()]


def all_end(processes: list[int], seconds: float = 15.0) -> bool:
    deadline = time.monotonic() + seconds
    while any((PROCESSES / str(process)).exists() for process in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def new_key(path: Path, name: str = "key") -> Path:
    """Make a key as people do."""
    key = path / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    return key


@contextmanager
def serving(
    path: Path, server: Address, *options: str, program: Sequence[str] = (sys.executable, "-m", "heat_tui")
) -> Iterator[Door]:
    process = subprocess.Popen(
        [*program, "serve", "--ssh", "127.0.0.1:0", "--server", str(server), *options],
        cwd=path,
        env=os.environ | homes_in(path) | {"HEAT_TUI_SSH_PASSWORD": PASSWORD},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    with process:
        try:
            found = re.search(r"ssh -p (\d+) NAME@127\.0\.0\.1", process.stdout.readline())
            assert found is not None
            yield Door(process, int(found[1]), path)
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


class Ssh(Terminal):
    """The program of a guest, in a terminal of 80x24."""

    def __init__(
        self, door: Door, login: str, options: Sequence[str], words: Sequence[str], term: str
    ) -> None:
        self._door = door
        super().__init__([*options, f"{login}@127.0.0.1", *words], door.path / "guest", {"TERM": term})

    def command(self, arguments: list[str]) -> list[str]:
        usual = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentityAgent=none"]
        named = [f"-o{option}" for option in (*usual, "IdentitiesOnly=yes", "IdentityFile=none")]
        return [*AT_THE_TERMINAL, "ssh", "-F", "none", *named, "-p", str(self._door.port), *arguments]

    def log_in(self, word: str | None = None) -> None:
        self.wait_for("Password:")
        self.press(f"{PASSWORD}\r")
        if word is not None:
            self.wait_for("Enter to come in as somebody new")
            self.press(f"{word}\r")

    def wait_for_one(self, pattern: str, seconds: float = 60.0) -> None:
        deadline = time.monotonic() + seconds
        while re.search(pattern, self.text) is None:
            assert time.monotonic() < deadline, f"{pattern!r} did not come: {self.text[-2000:]!r}"
            self.read(0.1)

    @property
    def word(self) -> str:
        self.wait_for("Your word is ")
        return self.text.split("Your word is ")[1][:4]

    def press_until(self, keys: str, text: str) -> None:
        """Press again and again: Enter right behind another one does nothing."""
        deadline = time.monotonic() + 60
        while text not in self.text:
            assert time.monotonic() < deadline, f"{text!r} did not come: {self.text[-2000:]!r}"
            self.press(keys)
            while self.read(0.3):
                pass


@contextmanager
def ssh(
    door: Door, login: str, *options: str, words: Sequence[str] = (), term: str = "xterm-256color"
) -> Iterator[Ssh]:
    terminal = Ssh(door, login, options, words, term)
    try:
        yield terminal
    finally:
        terminal.close()


class PlainGuest:
    """Does what each prompt says, once something has been said."""

    def __init__(self, terminal: Ssh, *script: str, waits_for: str = "") -> None:
        self.terminal = terminal
        self.script = list(script)
        self.waits_for = waits_for
        self._answered_at = -1

    def goes_on_until(self, text: str, shows: Ssh, other: Ssh | None = None, keys: str = "") -> None:
        """Answer until a terminal shows something, while keys are pressed at another."""
        pressed = cycle(keys)
        last = time.monotonic()
        deadline = last + 120
        while text not in shows.text or self.script:
            assert time.monotonic() < deadline, (self.terminal.text[-1500:], shows.text[-1500:])
            self.go_on()
            for terminal in {self.terminal, shows}:
                terminal.read(0.02)
            if other is not None and time.monotonic() - last > PRESS_SECONDS:
                last = time.monotonic()
                other.press(next(pressed))
                other.read(0.0)

    def go_on(self) -> None:
        """Answer the last prompt, if that is not yet done; news may have come below it."""
        text = self.terminal.text
        at = text.rfind(PROMPT_SIGN)
        if at <= self._answered_at:
            return
        prompt = text[:at].splitlines()[-1]
        if self.script:
            line = self.script.pop(0)
        elif self.waits_for in text and not prompt.endswith(("For example: who", "For example: leave")):
            line = example_in(prompt)
        else:
            return
        self._answered_at = at
        self.terminal.press(f"{line}\n")


@pytest.mark.timeout(300)
@pytest.mark.spec("DOOR-1.1", "DOOR-5")
def test_two_guests_race_to_the_flag(tmp_path: Path) -> None:
    """Ana in lines, Ben on screens; Ben's program is killed in the race, and he finds his seat again."""
    with server_process("--turn-time", "5", "--grace", "60") as server, serving(tmp_path, server) as door:
        with ssh(door, "Ana", term="dumb") as ana:
            ana.log_in()
            host = PlainGuest(
                ana, "new", "set laps 1", "set places 3", "set legends 1", waits_for="Ben is ready."
            )
            host.goes_on_until("For others to join", ana)
            found = re.search(r"Room (\w+)", ana.text)
            assert found is not None
            with ssh(door, f"Ben+{found[1]}") as ben:
                ben.log_in()
                word = ben.word
                ben.press_until("r", "Not ready")
                host.goes_on_until("SHIFT GEARS", ben)
                os.kill(door.logins()[1], signal.SIGKILL)
                assert ben.wait() == 128 + signal.SIGKILL
            with ssh(door, "Ben") as ben:
                ben.log_in(word)
                ben.wait_for(f"Go back to room {found[1]} as Ben?")
                ben.press_until("y", "SHIFT")
                host.goes_on_until("The race is over", ana, ben, "\r1\r2\r")
                for name in ("Ana", "Ben"):
                    ana.wait_for_one(rf"\n(1st|2nd|3rd) {name}:")


@pytest.mark.spec("DOOR-5")
def test_a_key_of_ones_own_is_enough_beside_the_password(tmp_path: Path) -> None:
    """The host knows nothing of it. Its owner is asked for no word, whoever has no key or another one is."""
    anas = new_key(tmp_path)
    with server_process("--grace", "60") as server, serving(tmp_path, server) as door:
        with ssh(door, "Ana", "-o", f"IdentityFile={anas}") as ana:
            ana.log_in()
            ana.wait_for("Open a room")
            ana.press_until("\x1bOQ", "Turn time")
            assert "Your word" not in ana.text
            ana.process.kill()  # her line is gone
        with ssh(door, "Ana") as thief:
            thief.log_in()
            assert thief.word
            thief.wait_for("Rooms here")
            while thief.read(1.0):
                pass
            assert "Go back to room" not in thief.text
            thief.process.kill()
        with ssh(door, "Ana", "-o", f"IdentityFile={anas}") as ana:
            ana.log_in()
            ana.wait_for("Go back to room")
            ana.press_until("y", "Turn time")


@pytest.mark.spec("DOOR-5")
def test_a_key_finds_the_seat_again_and_nobody_else_does(tmp_path: Path) -> None:
    key = new_key(tmp_path)
    options = ("-o", f"IdentityFile={key}")
    keys = ("--authorized-keys", f"{key}.pub")
    with server_process("--grace", "60") as server, serving(tmp_path, server, *keys) as door:
        with ssh(door, "Ana", *options) as ana:
            ana.wait_for("Open a room")  # without a password
            ana.press_until("\x1bOQ", "Turn time")
            found = re.search(r"Room (\w{5})\b", ana.text)
            assert found is not None
            ana.process.kill()  # her line is gone
        for name, word in (("Ana", None), (f"Ana+{found[1]}", "")):
            with ssh(door, name) as thief:
                thief.log_in(word)
                thief.wait_for("Rooms here")
                while thief.read(1.0):
                    pass
                assert "Go back to room" not in thief.text
                thief.process.kill()
        with ssh(door, "Ana", *options) as ana:
            ana.wait_for(f"Go back to room {found[1]} as Ana?")
            ana.press_until("y", "Turn time")


def test_the_door_is_killed_and_nothing_is_left_running(tmp_path: Path) -> None:
    with server_process() as server, serving(tmp_path, server) as door:
        with ssh(door, "ana") as ana, ssh(door, "ben", term="dumb") as ben:
            ana.log_in()
            ben.log_in()
            ana.wait_for("Open a room")
            ben.wait_for("Type a room's code")
            processes = door.descendants()
            assert len(processes) == 3
            door.process.kill()
            assert all_end(processes)
            assert ana.wait() == ben.wait() == 255


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_door_and_every_login(tmp_path: Path, number: signal.Signals) -> None:
    with server_process() as server, serving(tmp_path, server) as door, ssh(door, "ana") as ana:
        ana.log_in()
        ana.wait_for("Open a room")
        processes = door.descendants()
        door.process.send_signal(number)
        assert ana.wait() == 128 + signal.SIGHUP
        assert "This door has closed. If you were in a race, your seat is kept." in ana.text
        assert door.process.wait(PATIENCE_SECONDS) == 0
        assert all_end(processes)


def test_browsers_are_let_in_beside(tmp_path: Path) -> None:
    with server_process() as server, serving(tmp_path, server, "--web", "0") as door:
        assert door.process.stdout is not None
        says = "Open this in a browser to play: "
        link = next(line for line in door.process.stdout if line.startswith(says)).removeprefix(says)
        with urllib.request.urlopen(link.partition("#")[0]) as answer:
            assert b"heat-tui" in answer.read()
        with ssh(door, "ana") as ana:
            ana.log_in()
            ana.wait_for("Open a room")
            door.process.terminate()
            assert door.process.wait(PATIENCE_SECONDS) == 0


def test_quitting_ends_the_login(tmp_path: Path) -> None:
    with server_process() as server, serving(tmp_path, server) as door, ssh(door, "ana") as ana:
        ana.log_in()
        ana.wait_for("Open a room")
        ana.text = ""
        ana.press_until("\x1b", "How to play")
        assert "Host" not in ana.text
        ana.press_until("q", "closed.")
        assert ana.wait() == 0
        assert f"Your word is {ana.word}." in ana.text.split("\x1b[?1049l")[-1]


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with serving(tmp_path, Address("127.0.0.1", 1)) as door, ssh(door, "ana", term="dumb") as ana:
        ana.log_in()
        assert ana.wait() == 1
        assert "Nothing listens at 127.0.0.1:1" in ana.text


def test_on_screens_a_guest_waits_for_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with serving(tmp_path, Address("127.0.0.1", port)) as door, ssh(door, "ana") as ana:
        ana.log_in()
        ana.wait_for(f"Nothing listens at 127.0.0.1:{port}")
        with server_process("--port", str(port)):
            ana.press_until("\r", "Open a room")  # the chosen button is Connect


NOTHING_ELSE: Final[list[tuple[tuple[str, ...], tuple[str, ...]]]] = [
    (("-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1"), ()),
    (("-W", "127.0.0.1:1"), ()),
    (("-s",), ("sftp",)),
    ((), ("K7QX4",)),
    ((), ("id",)),
]
"""Options and words for ssh that ask for forwarding, files, or a program."""


@pytest.mark.spec("DOOR-1")
def test_ssh_plays_alone_or_in_a_room_and_gives_nothing_else(tmp_path: Path) -> None:
    with (
        server_process() as server,
        serving(tmp_path, server) as door,
        socket.create_server(("127.0.0.1", 0)) as elsewhere,
        ssh(door, "Ana", term="dumb") as ana,
    ):
        ana.log_in()
        other_server = f"127.0.0.1:{elsewhere.getsockname()[1]}"
        PlainGuest(ana, f"join {other_server}", other_server, "new").goes_on_until("Room ", ana)
        found = re.search(r"Room (\w{5})\b", ana.text)
        assert found is not None
        in_her_room = [ssh(door, f"Ben+{found[1]}"), ssh(door, "Cy", "-t", words=[found[1]])]
        for friends_terminal in in_her_room:
            with friends_terminal as friend:
                friend.log_in()
                friend.wait_for("Turn time")
                assert f"Room {found[1]}" in friend.text
        for options, words in NOTHING_ELSE:
            with ssh(door, "Eve", *options, words=words) as eve:
                eve.log_in()
                assert eve.wait() != 0
                assert "uid=" not in eve.text
                if words and not options:
                    assert f"Type: ssh -t -p {door.port} Eve+{words[0]}@127.0.0.1" in eve.text
        elsewhere.setblocking(False)
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
