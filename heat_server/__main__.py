"""The program `heat-server`: its options and commands."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import click
import msgspec

from heat_core.cli.entry import run_program
from heat_core.options.whole_number import WholeNumber
from heat_core.version import program_version, shown_version
from heat_server.config import ServerConfig
from heat_server.operator.commands import OPERATOR_COMMANDS
from heat_server.options import GroupedHelp, config_of, option_again, settings_options
from heat_server.settings import StorePlace
from heat_server.store.address import DatabaseUrl

if TYPE_CHECKING:
    from heat_server.store.contract import Store

StoreAddress: TypeAlias = Path | DatabaseUrl | None

_STORE = option_again("store", "Read this store, not the one of the settings.")
_PASSWORD = option_again(
    "store-password", "Read the password of its database from the first line of this file."
)


@click.group(
    cls=GroupedHelp,
    invoke_without_command=True,
    params=settings_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Each setting can also be in the file, under the option's name without the dashes "
    "(port = 7777), or in the environment (HEAT_SERVER_PORT=7777). The command line overrides the "
    "environment, and the environment overrides the file.",
)
@click.option(
    "--end-with-input",
    is_flag=True,
    help="End when standard input does: a pipe of the program that started the server, however that ends.",
)
@click.version_option(shown_version(), "-V", "--version", message="heat-server %(version)s")
@click.pass_context
def command(context: click.Context, /, end_with_input: bool, **_given: Any) -> None:
    """Run a server. Players join it with `heat-tui connect`; Ctrl-C stops it.

    The commands below look at a running server or its store.
    """
    context.obj = config_of(context)
    context.default_map = None  # a command may have the name of a setting
    if context.invoked_subcommand is None:
        _run_server(context.obj, ends_with_input=end_with_input)


@command.command("settings")
def settings_command() -> None:
    """Print a settings file with all defaults."""
    from heat_server.settings_file import settings_example

    click.echo(settings_example(), nl=False)


@command.command("matches", params=[_STORE, _PASSWORD])
@click.option(
    "--limit",
    type=WholeNumber(min=1, max=1_000_000),
    default=50,
    show_default=True,
    help="How many to list, the newest first.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
@click.pass_obj
def matches_command(
    config: ServerConfig, /, store: StoreAddress, store_password: Path | None, limit: int, as_json: bool
) -> None:
    """List the saved matches, running or finished."""
    from heat_server.store.listing import matches_text

    with _reading(config, store, store_password) as opened:
        matches = opened.list_matches(limit)
    if as_json:
        click.echo(msgspec.json.encode([match._asdict() for match in matches]).decode())
    else:
        click.echo(matches_text(matches))


@command.command("export", params=[_STORE, _PASSWORD])
@click.argument("match", required=False, metavar="MATCH")
@click.option("--race", type=WholeNumber(min=1), metavar="N", help="Which race, if the match has several.")
@click.pass_obj
def export_command(
    config: ServerConfig,
    /,
    match: str | None,
    race: int | None,
    store: StoreAddress,
    store_password: Path | None,
) -> None:
    """Write a finished race as a record.

    MATCH is a name from `heat-server matches`. `python -m heat_core replay` reads the record.
    """
    from heat_server.store.listing import NotExported, export_race

    if match is None:
        raise click.UsageError("name the match to export; `heat-server matches` lists the names")
    with _reading(config, store, store_password) as opened:
        try:
            record = export_race(opened, match, race, program_version())
        except NotExported as error:
            raise click.ClickException(str(error)) from None
    click.echo(record, nl=False)


@command.command("fleet", params=[_STORE, _PASSWORD])
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@click.pass_obj
def fleet_command(
    config: ServerConfig, /, store: StoreAddress, store_password: Path | None, as_json: bool
) -> None:
    """List the servers that share a database.

    The exit status is 1 if the database does not answer or no server runs.
    """
    from heat_server.operator.fleet import ONE_SERVER, fleet_text

    with _reading(config, store, store_password) as opened:
        fleet = opened.fleet_status()
    if as_json:
        click.echo(msgspec.json.encode(fleet).decode())
    else:
        click.echo(ONE_SERVER if fleet is None else fleet_text(fleet))
    if fleet is not None and not (fleet.running or fleet.draining):
        raise click.ClickException("no server runs: none has renewed its lease in time")


@command.group("store")
def store_group() -> None:
    """Move matches and bans from one store to another."""


@store_group.command("copy", params=[_PASSWORD])
@click.argument("source", metavar="FROM", type=StorePlace())
@click.argument("target", metavar="TO", type=StorePlace())
@click.pass_obj
def copy_command(
    config: ServerConfig,
    /,
    source: Path | DatabaseUrl,
    target: Path | DatabaseUrl,
    store_password: Path | None,
) -> None:
    """Copy all matches and bans of the store FROM to the store TO, and compare the matches.

    Each is a file or the URL of a PostgreSQL database (postgresql://USER@HOST/DATABASE). Stop their servers
    first. A copy that was interrupted continues when it is started again. Nothing is removed from either.
    A match that differs in TO is replaced, unless it is newer there or has more events: then it stays, and
    the command names it.
    """
    from heat_server.store.bans import MOST_BANS
    from heat_server.store.transfer import copy_bans, copy_matches, count_matches

    config = replace(config, store_password=store_password or config.store_password)
    with _storage_faults(config), contextlib.ExitStack() as stores:
        _opened(config, source, read_only=True).close()  # it must be there: opening it would make it
        first, second = (
            stores.enter_context(_opened(config, place, alone=True)) for place in (source, target)
        )
        bans = copy_bans(first, second)
        steps = 2 * count_matches(first)
        with click.progressbar(length=steps, label="copying and comparing", file=sys.stderr) as bar:
            done = copy_matches(first, second, lambda: bar.update(1))
    copied, present, faults = done
    click.echo(f"matches copied: {copied}, already there: {present}, not copied: {len(faults)}")
    click.echo(f"bans copied: {bans.copied}, already there: {bans.present}, not copied: {bans.left_out}")
    if bans.left_out:
        faults.append(
            f"the two stores have more than {MOST_BANS:,} bans together: lift some, or ban wider networks"
        )
    if faults:
        raise click.ClickException("\n".join(faults))


@contextlib.contextmanager
def _reading(config: ServerConfig, given: StoreAddress, password: Path | None) -> Iterator[Store]:
    """Open a store beside a server that may use it; what is None is as in the settings."""
    place = given or config.store
    if place is None:
        raise click.UsageError("--no-store turns off the store that this command needs; leave it out")
    config = replace(config, store_password=password or config.store_password)
    with _storage_faults(config), _opened(config, place, read_only=True) as store:
        yield store


def _opened(
    config: ServerConfig, place: Path | DatabaseUrl, *, read_only: bool = False, alone: bool = False
) -> Store:
    from heat_server.store.opening import open_store

    password = config.store_password
    return open_store(place, lambda: 0, password_file=password, read_only=read_only, alone=alone)


@contextlib.contextmanager
def _storage_faults(config: ServerConfig) -> Iterator[None]:
    """Let what is wrong with a store come out as one line, and what it logs on stderr."""
    from heat_server.log import open_log
    from heat_server.store.errors import StoreFailed, StoreRefused

    try:
        with open_log(replace(config, log_file=None, log_level="warning")):
            yield
    except (StoreFailed, StoreRefused) as error:
        raise click.ClickException(str(error)) from None


def _run_server(config: ServerConfig, *, ends_with_input: bool) -> None:
    from heat_server.process import CannotListen, Failed, run_server

    try:
        run_server(config, ends_with_input=ends_with_input)
    except (CannotListen, Failed) as error:
        raise click.ClickException(str(error)) from None


for asking in OPERATOR_COMMANDS:
    command.add_command(asking)


def main() -> NoReturn:
    """Run the program and exit."""
    run_program(command, "heat-server")


if __name__ == "__main__":
    main()
