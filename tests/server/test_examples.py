"""The examples and the pages for hosts: what they name exists, and the settings are the present ones."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from heat_core.files import default_door_socket
from heat_server.__main__ import command
from heat_server.config import ServerConfig
from heat_server.options import CONFIG_VARIABLE, SETTINGS, read_settings
from heat_server.settings import Group, option_of
from heat_server.settings_file import settings_example
from heat_tui.__main__ import command as client
from heat_tui.commands.party import party
from heat_tui.commands.serving import serve
from tests.e2e.test_server_tcp import port_of, program
from tests.patience import PATIENCE_SECONDS
from tests.server.test_options import settings_of

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
OPTIONS = [one for option in SETTINGS for one in (option, option.off) if one is not None]
WORDS = {option.word for option in OPTIONS}
VARIABLES = {option.envvar for option in OPTIONS} | {CONFIG_VARIABLE}
UNITS = ["heat-server.service", "heat-doors.service", "fleet/heat-server@.service"]
PAGES = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("hosting.md", "operating.md"))


def test_the_example_of_settings_is_what_the_program_prints() -> None:
    text = (EXAMPLES / "heat-server.toml").read_text(encoding="utf-8")
    assert text == settings_example(), "heat-server settings > examples/heat-server.toml"
    assert [line for line in text.splitlines() if len(line) > 110] == []


def test_the_example_of_settings_holds_every_setting_and_changes_none() -> None:
    file = EXAMPLES / "heat-server.toml"
    assert settings_of("--config", str(file)) == settings_of()
    text, values = file.read_text(encoding="utf-8"), read_settings(file)
    for field in fields(ServerConfig):
        option = option_of(field)
        assert re.search(rf"^(# )?{option.word} = ", text, re.MULTILINE), option.word
        assert (option.name in values) == (field.default is not None)


@pytest.mark.parametrize(
    "name", ["heat-server.service", "Containerfile", "fleet/heat-server@.service", "fleet/compose.yml"]
)
def test_examples_name_only_variables_that_there_are(name: str) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    found = set(re.findall(r"HEAT_SERVER_\w+", text))
    assert found
    assert found <= VARIABLES


def words_of_unit(name: str, key: str) -> list[str]:
    """Read all that a unit says of something, word by word."""
    text = (EXAMPLES / name).read_text(encoding="utf-8").replace("\\\n", " ")
    return [word for line in re.findall(rf"^{key}=(.*)$", text, re.MULTILINE) for word in line.split()]


def test_the_unit_of_the_doors_finds_the_servers_socket_as_the_servers_user() -> None:
    server, doors = "heat-server.service", "heat-doors.service"
    assert words_of_unit(doors, "User") == words_of_unit(server, "User") == ["heat-server"]
    variables = dict(word.split("=", 1) for word in words_of_unit(doors, "Environment"))
    socket = f"{variables['XDG_STATE_HOME']}/heat-server/{default_door_socket().name}"
    assert f"HEAT_SERVER_DOOR_SOCKET={socket}" in words_of_unit(server, "Environment")
    assert set(words_of_unit(server, "StateDirectory")) < set(words_of_unit(doors, "StateDirectory"))


def test_the_unit_of_the_doors_starts_what_there_is() -> None:
    program, *words = words_of_unit("heat-doors.service", "ExecStart")
    assert program == "/opt/heat-tui/.venv/bin/heat-tui"
    assert "serve" in words
    options = {option for part in (client, serve) for given in part.params for option in given.opts}
    assert {word for word in words if word.startswith("--")} <= options


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_understands_the_units(name: str, tmp_path: Path) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    name = name.removeprefix("fleet/").replace("@", "@one")
    # It looks whether the program is there.
    (tmp_path / name).write_text(text.replace("/opt/heat-tui/.venv/bin/heat-", "/bin/true heat-"))
    command = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_server_of_a_fleet_is_confined_as_a_single_one_is() -> None:
    def confined(name: str) -> str:
        return (EXAMPLES / name).read_text(encoding="utf-8").partition("\n# It needs the network")[2]

    assert confined("fleet/heat-server@.service") == confined("heat-server.service") != ""


def test_each_server_of_a_fleet_has_folders_of_its_own_and_reads_what_only_root_may() -> None:
    unit = "fleet/heat-server@.service"
    assert (
        words_of_unit(unit, "StateDirectory") == words_of_unit(unit, "RuntimeDirectory") == ["heat-server-%i"]
    )
    assert words_of_unit(unit, "LoadCredential") == ["password:/etc/heat-server/password"]
    _, *words = words_of_unit(unit, "ExecStart")
    assert words == [
        "--config",
        "/etc/heat-server/%i.toml",
        "--store-password",
        "${CREDENTIALS_DIRECTORY}/password",
    ]
    variables = dict(word.split("=", 1) for word in words_of_unit(unit, "Environment"))
    assert Path(variables.pop("HOME")).name == "heat-server-%i"
    assert [Path(path).parent.name for path in variables.values()] == ["heat-server-%i", "heat-server-%i"]


@pytest.mark.parametrize("name", UNITS)
def test_the_user_of_a_unit_has_a_home_directory_that_it_can_write(name: str) -> None:
    """Users that exist only while a service runs have none where libnss-systemd is not installed."""
    assert words_of_unit(name, "DynamicUser") == ["yes"]
    variables = dict(word.split("=", 1) for word in words_of_unit(name, "Environment"))
    home = Path(variables["HOME"])
    assert home.parent == Path("/var/lib")
    assert home.name in words_of_unit(name, "StateDirectory")


def test_the_servers_of_the_composed_fleet_share_a_database_and_are_reached_where_they_say() -> None:
    """No container engine runs in the tests: this is what can be seen without one."""
    composed = yaml.safe_load((EXAMPLES / "fleet" / "compose.yml").read_text(encoding="utf-8"))
    database, *servers = composed["services"].values()
    assert len(servers) == 3
    stores = {server["environment"]["HEAT_SERVER_STORE"] for server in servers}
    made = database["environment"]
    assert stores == {f"postgresql://{made['POSTGRES_USER']}@database/{made['POSTGRES_DB']}"}
    (password,) = composed["secrets"]
    files = {server["environment"]["HEAT_SERVER_STORE_PASSWORD"] for server in servers}
    assert files == {made["POSTGRES_PASSWORD_FILE"]} == {f"/run/secrets/{password}"}
    assert all(service["secrets"] == [password] for service in (database, *servers))
    outer = [server["ports"][0].split(":") for server in servers]
    announced = [server["environment"]["HEAT_SERVER_ANNOUNCE"] for server in servers]
    assert announced == [f"${{ANNOUNCE:-127.0.0.1}}:{port}" for port, _ in outer]
    assert {inner for _, inner in outer} == {str(ServerConfig().port)}
    assert len(set(announced)) == 3
    folder = EXAMPLES / "fleet"
    assert {(folder / server["build"]["context"]).resolve() for server in servers} == {ROOT}


@pytest.mark.skipif(shutil.which("docker") is None, reason="Docker's client is not installed here")
def test_docker_understands_the_composed_fleet() -> None:
    """Its client reads the file by itself; no engine has to run."""
    command = ["docker", "stack", "config", "--compose-file", str(EXAMPLES / "fleet" / "compose.yml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(yaml.safe_load(done.stdout)["services"]) == {"database", "one", "two", "three"}


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is not installed here")
def test_haproxy_understands_its_configuration() -> None:
    command = ["haproxy", "-c", "-q", "-f", str(EXAMPLES / "fleet" / "haproxy.cfg")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_first_process_of_the_container_can_be_stopped_at_any_moment() -> None:
    """The kernel keeps signals from a first process that does not handle them yet."""
    text = (EXAMPLES / "Containerfile").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^ENTRYPOINT (.*)$", text) == ['["tini", "--", "heat-server"]']
    assert re.search(r"(?m)^RUN .*apt-get install .*\btini\b", text)


@pytest.mark.parametrize("name", [name for name in UNITS if "server" in name])
def test_systemd_waits_until_a_server_takes_players(name: str) -> None:
    assert words_of_unit(name, "Type") == ["notify"]
    assert words_of_unit(name, "TimeoutStartSec") == ["infinity"], "an older store may have to be converted"
    assert words_of_unit(name, "RestartPreventExitStatus") == ["2"], "wrong settings stay wrong"


def test_the_container_copies_only_what_there_is() -> None:
    text = (EXAMPLES / "Containerfile").read_text(encoding="utf-8")
    sources = [word for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE) for word in line.split()[:-1]]
    assert {"heat_core", "heat_server", "tracks"} <= set(sources)
    locks = set(re.findall(r"locks/\w+\.lock", text))
    assert locks == {"locks/fleet.lock", "locks/build.lock"}
    assert all((ROOT / lock).exists() for lock in locks)
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_the_page_of_fleets_names_only_settings_and_commands_that_there_are() -> None:
    page = (ROOT / "docs" / "fleet.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(.*?)```", page, re.DOTALL) + re.findall(r"<<END\n(.*?)END\n", page, re.DOTALL)
    settings = {word for block in blocks for word in re.findall(r"(?m)^([a-z-]+) = [\"tf\d]", block)}
    assert len(settings) > 5
    assert settings <= WORDS
    commands = {*command.commands, "one"}
    assert set(re.findall(r"heat-server (?:--config \S+ )?([a-z]+)", page)) <= commands


def test_the_pages_name_only_settings_and_commands_that_there_are() -> None:
    options = set(re.findall(r"`--([a-z-]+)", PAGES)) - {"json", "config"}
    params = [*serve.params, *party.params]
    of_doors = {word.removeprefix("--") for option in params for word in option.opts}
    assert options <= WORDS | of_doors | {f"no-{option.word}" for option in SETTINGS if option.kind is bool}
    assert set(re.findall(r"HEAT_SERVER_\w+", PAGES)) <= VARIABLES
    assert set(re.findall(r"heat-server ([a-z]+)", PAGES)) <= {*command.commands, "lets"}
    limits = set(re.findall(r"`([a-z-]+)`", PAGES.split("\n## Limits")[1].split("\n## ")[0]))
    assert limits - {"bye", "hello"} <= WORDS
    assert {option.word for option in SETTINGS if option.group is Group.LIMITS} <= limits


def test_the_pages_show_a_status_as_it_is() -> None:
    from heat_core.wire.operator import Status
    from heat_server.operator.status import status_text

    status = Status(
        version="0.2.0",
        engine="compiled",
        process=4711,
        uptime_seconds=12 * 86_400 + 3 * 3600 + 14 * 60 + 5,
        draining=False,
        rooms={"lobby": 1, "racing": 2, "between": 0, "ended": 1},
        sleeping=3,
        seats=17,
        drivers=12,
        spectators=2,
        connections=16,
        commands=812_345,
        commands_per_second=3.2,
        answer_median_ms=0.62,
        answer_slow_ms=4.1,
        store="/home/heat/.local/share/heat-server/matches.sqlite3",
        store_trouble=None,
        commits=640_002,
        commit_median_ms=0.31,
        commit_slow_ms=1.9,
        refused={"act/late": 41, "room/wrong_password": 6, "bye/too_often": 3},
        dropped={"bye/idle": 12, "bye/no_hello": 9},
        malformed={"bye/bad_frame": 7},
        certificate="mZ4kq0vWb8Yd3nT1xR6sPg",
        handshakes=1204,
        handshakes_failed={"tls/hung_up": 24, "tls/plain": 5, "tls/tlsv1_alert_unknown_ca": 2},
        memory_bytes=64_382_566,
    )
    assert status_text(status) in PAGES


@pytest.mark.spec("OPS-4")
def test_logs_settings_shutdown_and_examples_go_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The details have tests of their own (options, log, ops); here is the whole as a host meets it."""
    file = tmp_path / "heat-server.toml"
    file.write_text((EXAMPLES / "heat-server.toml").read_text(encoding="utf-8"))
    unit = (EXAMPLES / "heat-server.service").read_text(encoding="utf-8")
    container = (EXAMPLES / "Containerfile").read_text(encoding="utf-8")
    assert f"KillSignal={signal.Signals.SIGTERM.name}" in unit
    assert f"STOPSIGNAL {signal.Signals.SIGTERM.name}" in container
    monkeypatch.setenv(CONFIG_VARIABLE, str(file))
    monkeypatch.setenv("HEAT_SERVER_LOG_FORMAT", "json")
    log_file = tmp_path / "log"
    with program("--port", "0", "--log-file", str(log_file)) as process:
        port = port_of(process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (0, "")
    assert port != ServerConfig().port
    assert all(line.startswith("{") for line in log_file.read_text().splitlines())
    assert '"event": "stopping"' in log_file.read_text()


def test_the_command_prints_the_file() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_server", "settings"], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout) == (0, settings_example())


@pytest.mark.parametrize("place", ["home/ana/.pyenv/versions", "root/.local/share/uv/python", "usr/bin"])
def test_the_unit_says_why_a_python_in_a_home_folder_will_not_do(place: str, tmp_path: Path) -> None:
    unit = (EXAMPLES / "heat-server.service").read_text(encoding="utf-8").replace("\\\n", "")
    (command,) = re.findall(r"(?m)^ExecStartPre=\+/bin/sh -c '(.*)'$", unit)
    root = tmp_path.resolve()
    python = root / place / "python3"
    environment = root / "venv" / "bin"
    for folder in (python.parent, environment):
        folder.mkdir(parents=True)
    python.touch()
    (environment / "python").symlink_to("python3")
    (environment / "python3").symlink_to(python)
    script = command.replace("$$", "$").replace("/opt/heat-tui/.venv/bin", str(environment))
    for home in ("/home/", "/root/"):
        script = script.replace(home, f"{root}{home}")
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, timeout=30)
    if place == "usr/bin":
        assert (done.returncode, done.stderr) == (0, "")
    else:
        assert done.returncode == 1
        assert done.stderr.startswith(f"{python} is in a home folder, which this unit hides from the server.")
        assert done.stderr.count("\n") == 1
