"""The options of `heat-tui serve` for guests: what is wrong is one line, and nothing is opened."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from heat_tui import installation
from heat_tui.__main__ import command
from heat_tui.browser.door import BrowserDoor
from heat_tui.commands import browser_options, house_options, serving, ssh_options
from heat_tui.doors.host_key import BadHostKey, host_key
from heat_tui.doors.passwords import new_password
from heat_tui.doors.programs import PASSWORD_VARIABLE
from heat_tui.doors.ssh import SshDoor
from heat_tui.installation import line_for
from tests.tui.support_app import folders_in


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in (browser_options, house_options, ssh_options):
        monkeypatch.setattr(module, "user_folders", lambda: folders_in(tmp_path))
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)


async def _open_nothing(makers: object) -> None:
    raise AssertionError("nothing is to be opened")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--ssh", "x"), "--ssh: 'x' has no port: write PORT or HOST:PORT"),
        (("--ssh", "127.0.0.1:99999"), "--ssh: '127.0.0.1:99999' has no port"),
        (("--ssh", "a b:2222"), "--ssh: 'a b' is not an address"),
        (("--ssh", "0", "--server", "::x:"), "--server: '::x:' is not an address"),
        (
            ("--ssh", "0", "--open", "--password-file", os.devnull),
            "The password for guests must have 1 to 200",
        ),
        (("--ssh", "0", "--open", "--password-file", __file__), "--open needs no password"),
        (("--ssh", "0", "--authorized-keys", __file__), "is not an authorized_keys file"),
        (
            ("--ssh", "0", "--port", "8000"),
            "--port has no effect here: give the port of the page behind --web",
        ),
        (("--web", "--port", "8000"), "--port has no effect here: give the port of the page behind --web"),
        (("--web", "99999"), "'99999' is not a whole number from 0 to 65535."),
        (("--ssh", "0", "play"), "Every guest begins at the rooms: leave out the command."),
        (("--web", "0", "play"), "Every guest begins at the rooms: leave out the command."),
        (("--ssh", "0", "--password"), "--password has no effect here: add --web, or leave it out."),
        (("--web", "--tabs", "3"), "--tabs has no effect here: guests have --logins, or leave it out."),
        (("--web", "--authorized-keys", __file__), "--authorized-keys has no effect here: add --ssh PORT"),
        (("--web", "--open", "--password"), "--open needs no password: leave out --password"),
        (("--web", "--proxy", "x"), "--proxy needs a number or a network, for example 192.0.2.10"),
        (("--web", "--announce", "races.example"), "--announce must begin with https:// or http://"),
        (("--logins", "3"), "--logins has no effect here: add --ssh PORT or --web, or leave it out."),
        (("--open",), "--open has no effect here: add --ssh PORT or --web, or leave it out."),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.setattr(serving, "_keep_open", _open_nothing)
    result = CliRunner().invoke(command, ["serve", *words])
    assert result.exit_code in (1, 2)
    assert told in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "ports"),
    [
        (("--web",), (None, 8000)),
        (("--web", "8299"), (None, 8299)),
        (("--ssh", "2299", "--web", "8299"), ("2299", 8299)),
        (("--web", "--ssh", "2299"), ("2299", 8000)),
    ],
)
def test_the_door_for_browsers_takes_a_port_as_that_for_ssh_does(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], ports: tuple[str | None, int]
) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(serving, "_guests_doors", lambda *given: asked.append(given))

    async def open_nothing(make: object) -> None:
        pass

    monkeypatch.setattr(serving, "_keep_open", open_nothing)
    result = CliRunner().invoke(command, ["serve", *words])
    assert result.exit_code == 0, result.output
    ((ssh, web, _),) = asked
    assert (ssh, web) == ports


def test_without_asyncssh_the_way_to_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    result = CliRunner().invoke(command, ["serve", "--ssh", "0"])
    assert result.exit_code == 1
    words = " ".join(result.output.split())
    assert f"--ssh needs asyncssh, which is not installed. To install it: {line_for('doors')}" in words


def test_a_password_of_the_environment_is_named_where_none_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_keep_open", _open_nothing)
    monkeypatch.setenv(PASSWORD_VARIABLE, "abc")
    result = CliRunner().invoke(command, ["serve", "--ssh", "0", "--open"])
    assert result.exit_code == 2
    told = "--open needs no password: unset HEAT_TUI_SSH_PASSWORD, or leave out --open."
    assert told in " ".join(result.output.split())


def _door(**changed: Any) -> SshDoor:
    options = {
        "server": "192.0.2.7", "password_file": None, "open_": False, "authorized_keys": None, "logins": 3,
        "logins_from_address": 2, "idle": 5,
    }  # fmt: skip
    house = house_options.house_of(options | changed, print)()
    return ssh_options.door_of("[::1]:2222", options | changed, new_password())(house)


@pytest.mark.asyncio
async def test_a_password_is_made_read_or_not_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = {_door().settings.password for _ in range(3)}
    assert len(made) == 3
    assert all(password is not None and len(password) == 9 for password in made)
    file = tmp_path / "password"
    file.write_text("from the file\nnot this\n", encoding="utf-8")
    assert _door(password_file=file).settings.password == "from the file"
    monkeypatch.setenv(PASSWORD_VARIABLE, "from the environment")
    assert _door().settings.password == "from the environment"
    monkeypatch.delenv(PASSWORD_VARIABLE)
    assert _door(open_=True).entrance.is_open
    assert str(_door().house.settings.server) == "192.0.2.7:7777"
    assert _door().house.settings.idle_seconds == 300.0


def _browser_door(**changed: Any) -> BrowserDoor:
    options = {
        "server": "192.0.2.7", "password": False, "password_file": None, "open_": False, "logins": 3,
        "logins_from_address": 2, "idle": 5, "host": None, "announce": None, "proxy": (),
    }  # fmt: skip
    house = house_options.house_of(options | changed, print)()
    return browser_options.door_of(8299, options | changed, "made")(house)


@pytest.mark.asyncio
async def test_the_secret_of_the_link_stays_and_a_password_is_asked_for_where_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    link = _browser_door(announce="https://races.example").link("K7QX4")
    assert link.startswith("https://races.example/#")
    assert link.endswith("+K7QX4")
    assert _browser_door(announce="https://races.example/").link("K7QX4") == link
    assert _browser_door().settings[:2] == ("", 8299)
    assert _browser_door().entrance.is_open
    assert _browser_door(password=True).settings[3:5] == ("made", True)
    file = tmp_path / "password"
    file.write_text("from the file", encoding="utf-8")
    assert _browser_door(password_file=file).settings[3:5] == ("from the file", False)
    monkeypatch.setenv(PASSWORD_VARIABLE, "from the environment")
    assert _browser_door().entrance.is_open
    assert _browser_door(password=True).settings.password == "from the environment"
    monkeypatch.delenv(PASSWORD_VARIABLE)
    assert _browser_door(open_=True).settings.secret is None


@pytest.mark.spec("DOOR-2")
@pytest.mark.parametrize(
    ("environment", "columns", "is_shown"),
    [
        ({}, 80, True),
        ({"TERM": "xterm"}, 80, True),
        ({}, 36, False),
        ({"NO_COLOR": "1"}, 80, False),
        ({"LC_ALL": "C"}, 80, False),
        ({"TERM": "linux"}, 80, False),
        ({"TERM": "dumb"}, 80, False),
    ],
)
def test_a_terminal_that_can_shows_the_link_as_a_code(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], columns: int, is_shown: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm-256color", "LANG": "C.UTF-8"} | environment).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = browser_options.qr_lines(f"http://192.0.2.7:8000/#{'k' * 22}")
    assert bool(lines) == is_shown
    paper = "30m\x1b[107m" if environment else "38;5;16m\x1b[48;5;231m"
    assert all(line.startswith(f"\x1b[{paper}") for line in lines)


def test_the_doors_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    key = host_key(tmp_path / "state")
    path = tmp_path / "state" / "ssh_host_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert host_key(tmp_path / "state").get_fingerprint() == key.get_fingerprint()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("no key")
    with pytest.raises(BadHostKey, match=r"is not a key\. Remove the file"):
        host_key(tmp_path / "state")
