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
from heat_server.options import SETTINGS, all_options, config_of, variable_of
from heat_server.settings import Known

EXAMPLE_TEXTS = {
    "host": "192.0.2.7",
    "announce": "race.example:7777",
    "proxies": "127.0.0.1, 2001:db8::/48",
    "address-limits": "192.0.2.7=5, 10.0.0.0/8=off",
}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_STORE", "NO_SOCKET", "LAN"):
        monkeypatch.delenv(f"HEAT_SERVER_{name}", raising=False)


def settings_of(*words: str) -> ServerConfig:
    """Give the settings that a command line leads to."""
    found: list[ServerConfig] = []

    @click.command()
    @all_options
    @click.pass_context
    def probe(context: click.Context, /, **_given: object) -> None:
        found.append(config_of(context))

    probe(list(words), standalone_mode=False)
    return found[0]


def other_value(known: Known, folder: Path) -> object:
    """Give a value that is allowed and not the default."""
    about = known.about
    if about.choices:
        return next(choice for choice in about.choices if choice != known.default)
    if known.kind is bool:
        return not known.usual
    if known.kind in (int, float):
        assert about.most is not None
        return known.kind(about.most)
    return folder if known.kind is Path else EXAMPLE_TEXTS[about.name]


def in_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (int, float)) else f'"{value}"'


def by_option(known: Known, value: object) -> list[str]:
    if isinstance(value, bool):
        return [f"--{'' if value else 'no-'}{known.about.name}"]
    return [f"--{known.about.name}", str(value)]


@pytest.mark.parametrize("known", SETTINGS, ids=lambda known: known.about.name)
def test_each_setting_is_reached_in_three_ways(
    known: Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = other_value(known, tmp_path)
    assert getattr(settings_of(), known.field) == known.usual != value
    assert getattr(settings_of(*by_option(known, value)), known.field) == value

    file = tmp_path / "settings.toml"
    file.write_text(f"{known.about.name} = {in_toml(value)}\n")
    assert getattr(settings_of("--config", str(file)), known.field) == value

    monkeypatch.setenv(variable_of(known.about.name), str(value))
    assert getattr(settings_of(), known.field) == value


def test_the_settings_are_the_fields_and_their_words_differ() -> None:
    assert [known.field for known in SETTINGS] == [field.name for field in dataclasses.fields(ServerConfig)]
    words = [word for known in SETTINGS for word in (known.about.name, known.about.off) if word]
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
        ("prot = 1", "unknown key 'prot'; is port meant?"),
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
        ('store = ""', "store: it is empty: give FILE, or leave store out"),
        ('store = "\\u0000"', "store: '\\x00' is not a path"),
        ('store = "x"\nno-store = true', "store and "),
        ('tracks = "no-such-folder"', "tracks: 'no-such-folder' is not a folder that is there"),
        ('announce = "a b"', "announce: 'a b' is no address"),
        ('announce = "a:99999"', "announce: 'a:99999' is no address"),
        ("port", "no TOML: "),
        ("port = 1\nport = 2", "no TOML: "),
        ("x = " + "[" * 10_000, "no TOML: "),
    ],
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
    for known in SETTINGS:
        assert f"\n  --{known.about.name}" in text
        assert f"\n{known.about.group}:\n" in text


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
