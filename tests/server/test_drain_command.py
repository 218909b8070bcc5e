"""`heat-server drain` as its operator reads it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
import msgspec
import pytest

from heat_core.wire.operator import AskDrain, Draining, OperatorAnswer, OperatorRequest
from heat_server.__main__ import main
from heat_server.operator.draining import CANCELLED, GOES_ON, drain_line, follow_drain

NOTHING = {"lobby": 0, "racing": 0, "between": 0, "ended": 0}
DONE = Draining(True, NOTHING, 0, 0, None, "")
RACING = Draining(True, NOTHING | {"racing": 2, "lobby": 1}, 1_234, 9, None, "")


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (DONE, "No rooms are left: stop the server now."),
        (
            msgspec.structs.replace(DONE, connections=1),
            "No rooms are left: stop the server now. 1 connection in no room will go to another server.",
        ),
        (RACING, "1,237 rooms left: 1 in lobby, 2 racing, 1,234 asleep; races move when they end"),
        (
            msgspec.structs.replace(RACING, sleeping=0, seconds_left=61.0),
            "3 rooms left: 1 in lobby, 2 racing; races move when they end, in 2 minutes at the latest",
        ),
        (
            msgspec.structs.replace(RACING, sleeping=0, seconds_left=0.0),
            "3 rooms left: 1 in lobby, 2 racing",
        ),
        (
            msgspec.structs.replace(RACING, rooms=NOTHING, sleeping=1, waits_for="nobody takes them"),
            "1 room left: 1 asleep; waiting, as nobody takes them",
        ),
        (
            msgspec.structs.replace(RACING, rules_only_here=7),
            (
                "1,237 rooms left: 1 in lobby, 2 racing, 1,234 asleep. "
                "1,236 races play version 7 of the rules, which no other server plays. They end here."
            ),
        ),
        (
            msgspec.structs.replace(RACING, rooms=NOTHING | {"between": 1}, sleeping=0, rules_only_here=7),
            (
                "1 room left: 1 between races. "
                "1 race plays version 7 of the rules, which no other server plays. It ends here."
            ),
        ),
        (
            msgspec.structs.replace(RACING, rooms=NOTHING | {"ended": 1}, sleeping=0, rules_only_here=7),
            "1 room left: 1 ended",
        ),
        (
            msgspec.structs.replace(DONE, waits_for="nobody takes them"),
            "no rooms are left; waiting, as nobody takes them",
        ),
    ],
)
def test_a_line_says_what_is_left_and_what_is_waited_for(progress: Draining, line: str) -> None:
    assert drain_line(progress) == line


class Server:
    """Answers how far a drain is, look by look."""

    def __init__(self, *answers: Draining | BaseException) -> None:
        self._answers: Iterator[Draining | BaseException] = iter(answers)
        self.pauses = 0

    def ask(self, request: OperatorRequest) -> OperatorAnswer:
        assert request == AskDrain()
        answer = next(self._answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def pause(self, seconds: float) -> None:
        self.pauses += 1


def test_each_change_is_a_line_and_the_end_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    fewer = msgspec.structs.replace(RACING, sleeping=0)
    server = Server(RACING, RACING, fewer, DONE)
    follow_drain(server.ask, RACING, server.pause)
    assert capsys.readouterr().out.splitlines() == [drain_line(RACING), drain_line(fewer), drain_line(DONE)]
    assert server.pauses == 4


def test_a_drain_that_somebody_cancels_fails(capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(msgspec.structs.replace(RACING, is_on=False))
    with pytest.raises(click.ClickException, match=CANCELLED):
        follow_drain(server.ask, RACING, server.pause)


def test_who_stops_waiting_reads_that_the_drain_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(KeyboardInterrupt())
    with pytest.raises(click.exceptions.Exit) as left:
        follow_drain(server.ask, RACING, server.pause)
    assert left.value.exit_code == 1
    assert capsys.readouterr().out.splitlines()[-1] == GOES_ON


def test_one_way_of_moving_races_is_given_at_most(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["heat-server", "drain", "--now", "--within", "5"])
    with pytest.raises(SystemExit) as exited:
        main()
    assert exited.value.code == 2
    assert "give only one of --now, --within and --cancel" in capsys.readouterr().err
