"""Settings by option, environment and file: the same word, the same check, one order."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import click
import pytest

from heat_server.__main__ import command
from heat_server.config import ServerConfig
from heat_server.options import SETTINGS, config_of, settings_options
from heat_server.settings import Number, SettingOption, UserPath, option_of

EXAMPLE_TEXTS = {
    "host": "192.0.2.7",
    "announce": "race.example:7777",
    "invite": "club.example:7000",
    "proxies": "127.0.0.1, 2001:db8::/48",
    "address-limits": "192.0.2.7=5, 10.0.0.0/8=off",
    "metrics": "[::1]:9777",
}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_STORE", "NO_SOCKET", "NO_DOOR_SOCKET", "LAN"):
        monkeypatch.delenv(f"HEAT_SERVER_{name}", raising=False)


def settings_of(*words: str) -> ServerConfig:
    """Give the settings that a command line leads to."""
    found: list[ServerConfig] = []

    @click.command(params=settings_options())
    @click.pass_context
    def probe(context: click.Context, /, **_given: object) -> None:
        found.append(config_of(context))

    probe(list(words), standalone_mode=False)
    return found[0]


def other_value(option: SettingOption, folder: Path) -> object:
    """Give a value that is allowed and not the default."""
    if isinstance(option.type, click.Choice):
        return next(choice for choice in option.type.choices if choice != option.default)
    if isinstance(option.type, Number):
        return option.type.kind(option.type.most)
    if option.kind is bool:
        return not option.program_default
    return folder if isinstance(option.type, UserPath) else EXAMPLE_TEXTS[option.word]


def in_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (int, float)) else f'"{value}"'


def by_option(option: SettingOption, value: object) -> list[str]:
    if isinstance(value, bool):
        return [f"--{'' if value else 'no-'}{option.word}"]
    return [f"--{option.word}", str(value)]


@pytest.mark.parametrize("field", dataclasses.fields(ServerConfig), ids=lambda field: field.name)
def test_each_setting_is_reached_in_three_ways(
    field: dataclasses.Field[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    option = option_of(field)
    value = other_value(option, tmp_path)
    assert getattr(settings_of(), field.name) == option.program_default != value
    assert getattr(settings_of(*by_option(option, value)), field.name) == value

    file = tmp_path / "settings.toml"
    file.write_text(f"{option.word} = {in_toml(value)}\n")
    assert getattr(settings_of("--config", str(file)), field.name) == value

    monkeypatch.setenv(f"HEAT_SERVER_{option.word.upper().replace('-', '_')}", str(value))
    assert getattr(settings_of(), field.name) == value


def test_no_two_settings_have_the_same_word() -> None:
    words = [one.word for option in SETTINGS for one in (option, option.off) if one is not None]
    assert len(set(words)) == len(words)


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("port = 1\nrooms = 1\nerrors = 1\nno-store = true\n")
    monkeypatch.setenv("HEAT_SERVER_CONFIG", str(file))
    monkeypatch.setenv("HEAT_SERVER_PORT", "2")
    monkeypatch.setenv("HEAT_SERVER_ROOMS", "2")
    monkeypatch.setenv("HEAT_SERVER_ERRORS", "")
    config = settings_of("--port", "3")
    assert (config.port, config.most_rooms, config.most_errors, config.store) == (3, 2, 1, None)
    monkeypatch.setenv("HEAT_SERVER_STORE", "kept")
    assert settings_of().store == Path("kept")
    assert settings_of("--no-store").store is None


def test_the_file_in_the_users_folder_is_read_if_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_of().port == ServerConfig().port
    (tmp_path / "heat-server").mkdir()
    (tmp_path / "heat-server" / "heat-server.toml").write_text("port = 0\n")
    assert settings_of().port == 0


def test_paths_in_a_file_begin_at_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('store = "kept/matches"\n')
    assert settings_of("--config", str(file)).store == tmp_path / "kept" / "matches"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("prot = 1", "unknown key 'prot'; did you mean port?"),
        ("zzz = 1", "unknown key 'zzz'; the keys are host, port, "),
        ("[limits]\nrooms = 1", "unknown key 'limits'; "),
        ("port = 70000", "port: 70000 is not a whole number from 0 to 65535"),
        ("port = true", "port: True is not a whole number from 0 to 65535"),
        ('port = "1"', "port: '1' is not a whole number from 0 to 65535, without quotes"),
        ("port = [1]", "port: [1] is not a whole number from 0 to 65535"),
        ("grace = nan", "grace: nan is not a number of seconds from 0.05 to "),
        ("grace = inf", "grace: inf is not a number of seconds from 0.05 to "),
        ("no-store = 1", "no-store: 1 is not true or false"),
        ('lan = "yes"', "lan: 'yes' is not true or false, without quotes"),
        ('store = ""', "store: it is empty"),
        ('store = "\\u0000"', "store: '\\x00' is not a path"),
        ('store = "x"\nno-store = true', "store and "),
        ('tracks = "no-such-folder"', "tracks: 'no-such-folder' is not a folder that exists"),
        ('announce = "a b"', "announce: 'a b' is not an address"),
        ('announce = "a:99999"', "announce: 'a:99999' is not an address"),
        ('invite = "a b"', "invite: 'a b' is not an address"),
        ("port", "not TOML: the end of the file is wrong; write name = value"),
        ("port = 1\nport = 2", "not TOML: "),
        ("x = " + "[" * 10_000, "not TOML: "),
        ("port = " + "9" * 5_000, "not TOML: a number has thousands of digits"),
        ("host = 0x" + "f" * 5_000, "host: what it is set to is not a text"),
        ("port = 0x" + "f" * 200, f"port: {int('f' * 200, 16)}"[:66] + "... is not a whole number from 0 to"),
        ("grace = " + "9" * 400, "grace: 9999"),
        ("port." + "a." * 5_000 + "b = 1", "port: "),  # far deeper than calls can nest
        (f'tracks = "{"x" * 5_000}"', "tracks: 'xxxx"),
    ],
    ids=lambda value: value[:40],
)
def test_what_is_wrong_in_a_file_is_named_with_what_is_allowed(line: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(line)
    with pytest.raises(click.UsageError) as refused:
        settings_of("--config", str(file))
    assert str(refused.value).startswith(f"{file}: {fault}")
    assert refused.value.exit_code == 2


def test_what_is_wrong_in_the_environment_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEAT_SERVER_PORT", "x")
    with pytest.raises(
        click.UsageError, match=r"^HEAT_SERVER_PORT: .x. is not a whole number from 0 to 65535$"
    ):
        settings_of()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="none: No such file"):
        settings_of("--config", str(tmp_path / "none"))
    (tmp_path / "raw").write_bytes(b"port = 1 # \xff")
    with pytest.raises(click.UsageError, match="raw: byte 11 is not UTF-8"):
        settings_of("--config", str(tmp_path / "raw"))


def test_the_help_tells_every_setting_under_its_heading_within_80_columns() -> None:
    text = command.get_help(click.Context(command, info_name="heat-server", terminal_width=80))
    assert [line for line in text.splitlines() if len(line) > 80] == []
    for option in SETTINGS:
        assert f"\n  --{option.word}" in text
        assert f"\n{option.group}:\n" in text


def run(words: Sequence[str], stdout: IO[bytes]) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "heat_server", *words], stdout=stdout, stderr=subprocess.PIPE, timeout=30
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("word", ["--help", "--version"])
def test_an_output_that_cannot_be_written_is_one_line(word: str) -> None:
    with open("/dev/full", "wb") as full:
        code, errors = run([word], full)
    assert code == 1
    assert errors == "heat-server: No space left on device\n"


def test_export_without_a_match_says_where_their_names_are() -> None:
    with pytest.raises(click.UsageError, match="heat-server matches"):
        command.main(["export"], standalone_mode=False)


def test_a_command_that_has_the_name_of_a_setting_does_not_get_its_value(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(f'connections = 7\nsocket = "{tmp_path / "none"}"\n')
    with pytest.raises(click.ClickException, match="no server is running"):
        command.main(
            ["--config", str(tmp_path / "settings.toml"), "connections"], "heat-server", standalone_mode=False
        )


def test_a_folder_in_a_file_is_looked_for_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "settings.toml").write_text('tracks = "mine"\n')
    assert settings_of("--config", str(tmp_path / "settings.toml")).track_folder == tmp_path / "mine"


def test_a_switch_in_the_environment_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEAT_SERVER_LAN", "maybe")
    with pytest.raises(click.UsageError, match=r"^HEAT_SERVER_LAN: 'maybe' "):
        settings_of()
