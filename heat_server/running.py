"""A server as a program: it listens, says where, and runs until a signal ends it."""

from __future__ import annotations

import contextlib
import errno
import signal

import click
import trio

from heat_server.config import ServerConfig
from heat_server.log import configure_log
from heat_server.server import addresses_of, open_listeners, serve


class CannotListen(Exception):
    """The port or the address is not to be had; the message says why in one line."""


class Failed(Exception):
    """The system failed a server that was running; the message says how in one line."""


def run_server(config: ServerConfig) -> None:
    """Run a server until a signal ends it.

    Raises:
        CannotListen: It could not begin.
        Failed: It had to end.
    """
    configure_log()
    try:
        trio.run(_serve_until_told, config)
    except* OSError as group:
        raise Failed(f"the server had to end: {_first(group)}") from None


async def _serve_until_told(config: ServerConfig) -> None:
    try:
        listeners = await open_listeners(config)
    except (OSError, UnicodeError) as error:
        raise CannotListen(_why_not(config, error)) from None
    stop = trio.Event()
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def wait_for_signal() -> None:
                async for _ in signals:
                    stop.set()
                    return

            nursery.start_soon(wait_for_signal)
            await nursery.start(serve, config, stop, listeners)
            for host, port in addresses_of(listeners):
                with contextlib.suppress(OSError):  # nobody reads it: no reason not to serve
                    click.echo(f"listening on {host} port {port}")


def _why_not(config: ServerConfig, error: BaseException) -> str:
    error = _first(error)
    where = f"port {config.port}" + (f" of {config.host}" if config.host else "")
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EADDRINUSE:
        return f"{where} is in use; is a server running already? --port takes another one"
    if number in (errno.EACCES, errno.EPERM):
        return f"{where} may not be used by you; --port takes another one"
    return f"cannot listen on {where}: {getattr(error, 'strerror', None) or error}"


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
