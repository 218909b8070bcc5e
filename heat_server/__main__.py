"""The program `heat-server`. It says what is wrong in one line: exit 2 for wrong use, 1 for what failed."""

from __future__ import annotations

import errno
import math
import signal
import sys
from pathlib import Path

import click
import trio

from heat_core.files import shown_path, track_folder_of
from heat_core.wire.messages import DEFAULT_PORT, MOST_TURN_MILLISECONDS
from heat_server.config import ServerConfig
from heat_server.log import configure_log
from heat_server.server import program_version, serve

DEFAULTS = ServerConfig()

TRACKS_VARIABLE = "HEAT_SERVER_TRACKS"

_SECONDS = click.FloatRange(min=0.05, max=MOST_TURN_MILLISECONDS / 1000)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(program_version(), "-V", "--version", message="heat-server %(version)s")
@click.option("--host", metavar="ADDRESS", help="Listen on this address only.  [default: all]")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, help="Port; 0 takes any free one."
)
@click.option("--announce", metavar="HOST:PORT", help="What players should type to get here.")
@click.option(
    "--tracks",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar=TRACKS_VARIABLE,
    metavar="FOLDER",
    help="Tracks besides those of the box, read at the start."
    f"  [default: {shown_path(track_folder_of('heat-server'))}]",
)
@click.option(
    "--turn-time",
    type=_SECONDS,
    default=DEFAULTS.turn_seconds,
    metavar="SECONDS",
    help="Time for a decision, where a room does not set its own.",
)
@click.option(
    "--grace",
    type=_SECONDS,
    default=DEFAULTS.grace_seconds,
    metavar="SECONDS",
    help="How long the others wait for one whose connection is gone.",
)
@click.option(
    "--deserted",
    type=_SECONDS,
    default=DEFAULTS.deserted_seconds,
    metavar="SECONDS",
    help="How long a race is kept that everyone has gone from.",
)
@click.option(
    "--rooms", type=click.IntRange(1, 100_000), default=DEFAULTS.most_rooms, help="Rooms at a time."
)
@click.option(
    "--connections",
    type=click.IntRange(1, 100_000),
    default=DEFAULTS.most_connections,
    help="Connections at a time.",
)
def command(
    host: str | None,
    port: int,
    announce: str | None,
    tracks: Path | None,
    turn_time: float,
    grace: float,
    deserted: float,
    rooms: int,
    connections: int,
) -> None:
    """Let friends race each other: they join with `heat-tui connect`. Stop it with Ctrl-C."""
    if any(math.isnan(seconds) for seconds in (turn_time, grace, deserted)):
        raise click.BadParameter("a time must be a number of seconds")
    config = ServerConfig(
        host=host,
        port=port,
        announce=announce,
        track_folder=tracks or track_folder_of("heat-server"),
        turn_seconds=turn_time,
        grace_seconds=grace,
        deserted_seconds=deserted,
        most_rooms=rooms,
        most_connections=connections,
    )
    configure_log()
    try:
        trio.run(_serve_until_told, config)
    except* (OSError, UnicodeError) as group:
        raise click.ClickException(_what_failed(config, group.exceptions[0])) from None


async def _serve_until_told(config: ServerConfig) -> None:
    stop = trio.Event()
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def wait_for_signal() -> None:
                async for _ in signals:
                    stop.set()
                    return

            nursery.start_soon(wait_for_signal)
            addresses = await nursery.start(serve, config, stop)
            for host, port in addresses:
                click.echo(f"listening on {host} port {port}")


def _what_failed(config: ServerConfig, error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    where = f"port {config.port}" + (f" of {config.host}" if config.host else "")
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EADDRINUSE:
        return f"{where} is in use; is a server running already? --port takes another one"
    if number in (errno.EACCES, errno.EPERM):
        return f"{where} may not be used by you; --port takes another one"
    return f"cannot listen on {where}: {getattr(error, 'strerror', None) or error}"


def main() -> None:
    """Run the program and exit."""
    try:
        code = command(prog_name="heat-server", standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"heat-server: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(0)
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
