"""A bot that is a program of its own: it drives a seat over its standard input and output.

The messages are those of the game port (docs/protocol.md), as after coming back to a race: the program says
`hello`, is answered with `welcome`, `started` and `update`, and answers decisions with `act`. It may ask for
`legal`, `catalogue`, `view` and `ping` as well. The first thing that it does wrong ends it for this race: no
answer in time, an answer that the rules do not allow, a stream that cannot be read, its end. Defaults drive
the seat from then on.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from heat_core.race import events as e
from heat_core.refusal import Refused
from heat_core.table import Table, TableDecision
from heat_core.version import program_version
from heat_core.view.secrecy import public_setup
from heat_core.wire.codec import (
    NEED_DATA,
    BadMessage,
    BrokenStream,
    encode_server_message,
    reader_of_server,
)
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.messages import (
    FEATURES,
    LEAST_PROTOCOL,
    PROTOCOL,
    Act,
    AskCatalogue,
    AskLegal,
    AskView,
    Bye,
    ClientMessage,
    Error,
    ErrorData,
    Hello,
    Join,
    Legal,
    Ok,
    OpenDecision,
    Ping,
    Pong,
    ServerMessage,
    Started,
    TakeSeat,
    Update,
    Versions,
    Welcome,
    catalogue,
)

_SECONDS_TO_END: Final = 1.0
"""What a program has to end by itself, once its race is over."""

_READ_BYTES: Final = 65_536
_MOST_EVENTS: Final = 3_000
"""In one update; more might not fit in a frame."""


class _Fault(Exception):
    """What a program did wrong; the text says it."""


class ProgramDriver:
    """A program that drives one seat in one race.

    Attributes:
        fault: What it did wrong, if anything: defaults drive since then.
    """

    def __init__(self, process: subprocess.Popen[bytes], decision_seconds: float) -> None:
        """Take over a program that has just begun; `open_program` does so."""
        assert process.stdin is not None
        assert process.stdout is not None
        self.fault: str | None = None
        self._process = process
        self._seconds = decision_seconds
        self._input, self._output = process.stdin.fileno(), process.stdout.fileno()
        self._reader = reader_of_server()
        self._deadline = 0.0
        self._seat_at: tuple[Table, int] | None = None
        self._sent_events = 0
        os.set_blocking(self._input, False)

    def __call__(self, table: Table, asked: TableDecision) -> list[e.Event]:
        """Let the program answer a decision; a default answers where the program does not."""
        if self.fault is None:
            self._deadline = time.monotonic() + self._seconds
            try:
                if self._seat_at is None:
                    self._greet(table, asked.seat)
                self._send(self._update(table, asked.seat))
                return self._answer(table, asked)
            except _Fault as fault:
                self.fault = str(fault)
                self._process.kill()
        return table.play_default(asked.seat)

    def _greet(self, table: Table, seat: int) -> None:
        message = self._receive()
        if not isinstance(message, Hello):
            self._send(Error(message.id, ErrorCode.HELLO_FIRST, "The first message is hello."))
            raise _Fault("its first message was not hello")
        if message.common_protocol is None:
            versions = ErrorData(versions=Versions(LEAST_PROTOCOL, PROTOCOL))
            self._send(Error(message.id, ErrorCode.OTHER_VERSION, f"This is protocol {PROTOCOL}.", versions))
            raise _Fault(f"it speaks protocol {message.protocol}, not {PROTOCOL}")
        self._send(
            Welcome(
                message.id, message.common_protocol, "heat_core tournament", program_version(), "", FEATURES
            )
        )
        self._send(self._started(table, seat))
        self._seat_at = table, seat

    def _started(self, table: Table, seat: int) -> Started:
        return Started(seat, public_setup(table.setup), tuple(range(len(table.setup.cars))))

    def _update(self, table: Table, seat: int, since: int | None = None) -> Update:
        events = table.events_since(self._sent_events if since is None else since, seat)[-_MOST_EVENTS:]
        self._sent_events = table.event_number
        left = max(0, round(1000 * (self._deadline - time.monotonic())))
        decisions = tuple(
            OpenDecision(each.seat, each.kind, each.has_chosen, left if each.seat == seat else None)
            for each in table.decisions()
        )
        return Update(table.event_number, events, table.timed_view(seat), decisions, ())

    def _answer(self, table: Table, asked: TableDecision) -> list[e.Event]:
        """Answer requests until one is the decision's answer.

        Raises:
            _Fault: The program does something wrong.
        """
        while True:
            message = self._receive()
            match message:
                case Act():
                    if events := self._submit(table, asked.seat, message):
                        return events
                case AskLegal():
                    self._send(_legal(table, asked.seat, message))
                case AskCatalogue():
                    self._send(catalogue(message.id))
                case AskView():
                    self._send(Ok(message.id))
                    self._send(self._started(table, asked.seat))
                    self._send(self._update(table, asked.seat, message.since))
                case Join() | TakeSeat():  # a program that also plays at the game port sends them anyway
                    self._send(Ok(message.id, place=asked.seat))
                case Ping():
                    self._send(Pong(message.id))
                case _:
                    self._send(Error(message.id, ErrorCode.IN_A_ROOM, "Over a pipe there is only one race."))

    def _submit(self, table: Table, seat: int, act: Act) -> list[e.Event]:
        """Hand an answer in.

        Returns:
            The events that followed; none where the answer to an earlier decision came again.

        Raises:
            _Fault: The rules do not allow it.
        """
        try:
            events = table.submit(seat, act.decision, act.command)
        except Refused as refused:
            self._send(_refusal(act.id, refused))
            raise _Fault(refused.text) from None
        self._send(Ok(act.id))
        return events

    def _receive(self) -> ClientMessage:
        """Give the program's next message; wrong ones are answered as at the game port.

        Raises:
            _Fault: There is none in time, or ever.
        """
        while True:
            try:
                message = self._reader.next_message()
            except BadMessage as error:
                where = None if error.field is None else ErrorData(field=error.field)
                self._send(Error(error.re, error.code, error.text, where))
                continue
            except BrokenStream as error:
                raise _Fault(error.text) from None
            if message is not NEED_DATA:
                return message
            self._wait(self._output, selectors.EVENT_READ)
            data = os.read(self._output, _READ_BYTES)
            if not data:
                raise _Fault("it ended")
            self._reader.receive_data(data)

    def _send(self, message: ServerMessage) -> None:
        """Write a message.

        Raises:
            _Fault: The program does not read it, or has ended.
        """
        data = memoryview(encode_server_message(message))
        while data:
            self._wait(self._input, selectors.EVENT_WRITE)
            try:
                data = data[os.write(self._input, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise _Fault("it ended") from None

    def _wait(self, file: int, event: int) -> None:
        """Wait until a pipe can be read or written.

        Raises:
            _Fault: The time is up, even if the pipe is ready: a program that never pauses gets no more.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(file, event)
            left = self._deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise _Fault(f"no answer in {self._seconds:g} s")

    def say_goodbye(self) -> None:
        """Send the end of the race, if the program still follows it."""
        if self.fault is None and self._seat_at is not None:
            self._deadline = time.monotonic() + _SECONDS_TO_END
            with suppress(_Fault):
                self._send(self._update(*self._seat_at))
                self._send(Bye(ByeCode.SERVER_STOPS, "The race is over."))


def _legal(table: Table, seat: int, request: AskLegal) -> Legal | Error:
    try:
        commands, count = table.legal_commands(seat, request.decision, request.most)
    except Refused as refused:
        return _refusal(request.id, refused)
    return Legal(request.id, request.decision, commands, count)


def _refusal(re: int, refused: Refused) -> Error:
    return Error(re, refused.code, refused.text, ErrorData(refused.allowed, decision=refused.decision))


@contextmanager
def open_program(words: Sequence[str], decision_seconds: float) -> Iterator[ProgramDriver]:
    """Run a program for one race, and end it and the processes it has started with the race.

    Args:
        words: Its file and arguments; no shell reads them.
        decision_seconds: What it has for each decision, and for its first message.

    Raises:
        OSError: The program cannot be run.
    """
    # A process group of its own: Ctrl-C on the terminal means the tournament, not the bots in its last races.
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
    )
    with process:
        try:
            driver = ProgramDriver(process, decision_seconds)
            yield driver
            driver.say_goodbye()
        finally:
            assert process.stdin is not None
            process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_SECONDS_TO_END)
            with suppress(ProcessLookupError):  # what the program itself has started may outlive it
                os.killpg(process.pid, signal.SIGKILL)
