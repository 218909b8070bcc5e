"""A server as a process: it listens, prints where, and runs until a signal stops it.

Theory of operation. At the first signal the server accepts no more connections, hands its rooms on to the
other servers of its fleet, sends its clients a message, and lets the rooms finish what they are saving.
Signals that arrive together count as one: the end of a login can send two. One second after the first, the
system's own handlers are in force again, so another signal ends the process at once. What was acknowledged
is saved in either case. Signals that were ignored at the start stay ignored. The end of standard input is a
signal too, for a program that starts a server and wants it to end with itself: the system closes the pipe
between them, however that program ends.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Final

import click
import structlog
import trio

from heat_core.files import shown_path
from heat_core.garbage import SERVER, freeze_what_is_there
from heat_core.signals import heeded
from heat_server.clock import RunningClock
from heat_server.config import ServerConfig, parse_metrics_address
from heat_server.discovery import announce
from heat_server.invitation import (
    address_for_clients,
    announced_address,
    line_for_fleet,
    line_for_friends,
)
from heat_server.listening import Listening, addresses_of, open_listeners
from heat_server.log import log_suppressed, open_log
from heat_server.net.admission import raise_file_limit
from heat_server.net.certificate import BadCertificate, certificate_of
from heat_server.operator.socket import serve_operator
from heat_server.serve import serve, serve_doors
from heat_server.server import Server
from heat_server.service_manager import notify_manager
from heat_server.store.errors import StoreFailed, StoreRefused
from heat_server.store.opening import open_store
from heat_server.store.pruning import prune_hourly
from heat_server.store.worker import StoreWorker

STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AT_ONCE_SECONDS: Final = 1.0
STOP_SECONDS: Final = 4.5
SUPPRESSED_SECONDS: Final = 10.0
_STANDARD_INPUT: Final = 0
_READ_BYTES: Final = 4_096

log = structlog.get_logger()


class CannotListen(Exception):
    """The server cannot listen on the port or address; the message says why in one line."""


class Failed(Exception):
    """Something other than the port failed; the message says what in one line."""


def run_server(config: ServerConfig, *, ends_with_input: bool = False) -> None:
    """Run a server until a signal ends it.

    Args:
        config: All settings.
        ends_with_input: The end of standard input, which is a pipe, is such a signal too.

    Raises:
        CannotListen: It could not begin.
        Failed: It could not begin for another reason, or had to end.
    """
    try:
        with open_log(config):
            if (room := raise_file_limit(config.most_connections)) is not None:
                log.warning(
                    "too few open files allowed", connections_wanted=config.most_connections, connections=room
                )
                config = replace(config, most_connections=room)
            with open_store(config.store, _now_ms, password_file=config.store_password) as store:
                _run(config, StoreWorker(store, in_thread=store.saves), ends_with_input)
    except* (StoreRefused, StoreFailed, BadCertificate) as group:
        raise Failed(str(_first(group))) from None
    except* OSError as group:
        error = _first(group)
        named = f"{shown_path(error.filename)}: " if isinstance(error, OSError) and error.filename else ""
        raise Failed(f"{named}{getattr(error, 'strerror', None) or error}") from None


def _run(config: ServerConfig, worker: StoreWorker, ends_with_input: bool) -> None:
    gc.collect()
    freeze_what_is_there(SERVER)
    trio.run(_serve_until_stopped, config, worker, ends_with_input, clock=RunningClock(_log_standstill))


def _log_standstill(seconds: float) -> None:
    log.warning("stood still", seconds=round(seconds, 1))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


async def _serve_until_stopped(config: ServerConfig, worker: StoreWorker, ends_with_input: bool) -> None:
    try:
        listeners = await open_listeners(config)
    except (OSError, UnicodeError) as error:
        raise CannotListen(_why_not(config, error)) from None
    certificate = certificate_of(config)
    listening = Listening.of(listeners, certificate)
    config = replace(
        config,
        announce=announced_address(config.announce, listening),
        invite=announced_address(config.invite, listening),
    )
    stop = trio.Event()
    async with trio.open_nursery() as nursery:
        async with trio.open_nursery() as serving:
            await nursery.start(_await_signals, stop, serving.cancel_scope, ends_with_input)
            nursery.start_soon(_log_suppressed_now_and_then)
            nursery.start_soon(prune_hourly, worker, config.keep_days, config.keep_mebibytes, _now_ms)
            side_tasks = _side_tasks(config, listeners, stop)
            await serving.start(serve, config, stop, listeners, worker, side_tasks, certificate)
            notify_manager("READY=1")
            with contextlib.suppress(OSError):  # nobody reads it: no reason not to serve
                for host, port in listening.addresses:
                    click.echo(f"listening on {host} port {port}")
                if certificate is not None:
                    click.echo(f"encrypted by the certificate with the fingerprint {certificate.fingerprint}")
                click.echo(line_for_friends(config.shared_address, listening))
                if worker.is_shared:
                    address = address_for_clients(config.announce, listening)
                    click.echo(line_for_fleet(address, is_announced=config.announce is not None))
        nursery.cancel_scope.cancel()


def _side_tasks(
    config: ServerConfig, listeners: Sequence[trio.SocketListener], stop: trio.Event
) -> list[Callable[[Server], Awaitable[None]]]:
    """List what runs beside the server."""
    side_tasks: list[Callable[[Server], Awaitable[None]]] = []
    if config.status_socket is not None:
        side_tasks.append(partial(serve_operator, path=config.status_socket))
    if config.door_socket is not None:
        ((_, port), *_) = addresses_of(listeners)
        side_tasks.append(partial(serve_doors, path=config.door_socket, port=port))
    if config.metrics is not None:
        from heat_server.monitoring.serve import serve_monitoring  # brings libraries that nothing else needs

        side_tasks.append(partial(serve_monitoring, address=parse_metrics_address(config.metrics)))
    if config.lan:
        side_tasks.append(partial(announce, addresses=addresses_of(listeners), stop=stop))
    return side_tasks


async def _await_signals(
    stop: trio.Event,
    serving: trio.CancelScope,
    ends_with_input: bool,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    token, heard = trio.lowlevel.current_trio_token(), trio.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(trio.RunFinishedError):
            token.run_sync_soon(heard.set)

    numbers = heeded(STOPPING)
    _handle(numbers, hear)
    task_status.started()
    async with trio.open_nursery() as nursery:
        if ends_with_input:
            nursery.start_soon(_await_end_of_input, heard)
        await heard.wait()
        nursery.cancel_scope.cancel()
    _handle(numbers, signal.SIG_IGN)  # to the end of the process, where that comes before the second is over
    stop.set()
    notify_manager("STOPPING=1")
    await trio.sleep(AT_ONCE_SECONDS)
    _handle(numbers, signal.SIG_DFL)
    await trio.sleep(STOP_SECONDS - AT_ONCE_SECONDS)
    log.error("stopping took too long")
    serving.cancel()


async def _await_end_of_input(heard: trio.Event) -> None:
    """Read what nobody is to write, up to its end: then the program that started this one is gone."""
    with contextlib.suppress(OSError):
        while True:
            await trio.lowlevel.wait_readable(_STANDARD_INPUT)
            if not os.read(_STANDARD_INPUT, _READ_BYTES):
                break
    heard.set()


def _handle(
    numbers: Iterable[signal.Signals], how: Callable[[int, FrameType | None], None] | signal.Handlers
) -> None:
    for number in numbers:
        signal.signal(number, how)


async def _log_suppressed_now_and_then() -> None:
    while True:
        await trio.sleep(SUPPRESSED_SECONDS)
        log_suppressed()


def _why_not(config: ServerConfig, error: BaseException) -> str:
    error = _first(error)
    where = f"port {config.port}" + (f" of {config.host}" if config.host else "")
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EADDRINUSE:
        return f"{where} is in use. Is a server already running? Choose another port with --port"
    if number in (errno.EACCES, errno.EPERM):
        return f"{where} is not allowed for your user. Choose another port with --port"
    return f"cannot listen on {where}: {getattr(error, 'strerror', None) or error}"


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
