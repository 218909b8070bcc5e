"""A live server, fed with what hypothesis makes of sound messages: it answers or hangs up, and races on."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from functools import partial

import msgpack  # type: ignore[import-untyped]  # because it has no types of its own
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from heat_core.wire.codec import HEADER_BYTES, encode_client_message
from heat_core.wire.messages import Bye, Error, Leave, Ok, Pong, Update
from tests.server.support import UNHURRIED, House, HungUp, Player
from tests.wire.support import CLIENT_SAMPLES

BRIEF = dataclasses.replace(UNHURRIED, deserted_seconds=600.0)

NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.floats()
PLAIN = st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | st.binary(max_size=8)
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner), max_leaves=6
)


@st.composite
def frames(draw: st.DrawFn) -> bytes:
    """Make the bytes of a sound message, of one with a field or some bytes spoilt, or of nothing."""
    kind = draw(st.sampled_from(["sound", "field", "bytes", "payload", "nothing"]))
    frame = encode_client_message(draw(st.sampled_from(CLIENT_SAMPLES)))
    if kind == "field":
        fields = msgpack.unpackb(frame[HEADER_BYTES:])
        fields[draw(st.sampled_from(sorted(fields)))] = draw(VALUES)
        return framed(msgpack.packb(fields))
    if kind == "bytes":
        spoilt = bytearray(frame)
        for _ in range(draw(st.integers(1, 3))):
            spoilt[draw(st.integers(HEADER_BYTES, len(spoilt) - 1))] = draw(st.integers(0, 255))
        return bytes(spoilt)
    if kind == "payload":
        return framed(msgpack.packb(draw(VALUES)))
    if kind == "nothing":
        return draw(st.binary(max_size=60))
    return frame


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(HEADER_BYTES, "big") + payload


def run_live(test: Callable[[House], Awaitable[None]]) -> None:
    """Run a server on a clock of its own."""

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            house = House(nursery, BRIEF)
            nursery.start_soon(house.server.keep_house)
            await test(house)
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0))


async def send_and_listen(player: Player, pieces: list[bytes]) -> list[tuple[object, ...]]:
    """Send everything in its pieces, and read until the server hangs up or falls silent; give the answers."""
    answers: list[tuple[object, ...]] = []

    async def listen() -> None:
        try:
            while True:
                match await player.receive():
                    case Ok() | Pong() as answer:
                        answers.append((type(answer), answer.re))
                    case Error() as error:
                        answers.append((error.re, error.code))
                    case Bye() as bye:
                        answers.append((bye.code,))
        except HungUp:
            pass

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        for piece in pieces:
            try:
                await player.stream.send_all(piece)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                break
        await trio.sleep(300)
        await player.hang_up()
    return answers


async def races_on(house: House) -> None:
    """Two honest people begin a race, and come to its second round."""
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    async with trio.open_nursery() as playing:
        playing.start_soon(ana.race)
        await ben.wait_for(Update, lambda update: update.view.round == 2)
        playing.cancel_scope.cancel()
    for player in (ana, ben):
        await player.ok(Leave(player.id()))
        await player.hang_up()


@pytest.mark.spec("NET-12")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(frames(), min_size=1, max_size=25), min_size=1, max_size=4), st.booleans())
def test_whatever_is_sent_the_server_answers_or_hangs_up_and_races_on(
    conversations: list[list[bytes]], in_a_room: bool
) -> None:
    async def test(house: House) -> None:
        for pieces in conversations:
            stranger = await house.player() if in_a_room else house.connect()
            if in_a_room:
                await stranger.create("stranger")
            await send_and_listen(stranger, pieces)
        await races_on(house)
        await trio.sleep(7_200)  # rooms of strangers end
        assert not house.server.connections
        assert not house.server.rooms
        assert not len(house.server.clients)

    run_live(test)


@given(st.lists(frames(), min_size=1, max_size=12), st.data())
@settings(max_examples=40, deadline=None)
def test_in_pieces_or_whole_the_answers_are_the_same(sent: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    answers: list[list[tuple[object, ...]]] = []

    async def converse(house: House, parts: list[bytes]) -> None:
        answers.append(await send_and_listen(house.connect(), [part for part in parts if part]))

    for parts in ([whole], pieces):
        run_live(partial(converse, parts=parts))
    assert answers[0] == answers[1]
