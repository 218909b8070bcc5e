"""Honest news of races and seasons, and ways to make nonsense of a message."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from heat_core.files import box_tracks, load_track
from heat_core.race.presets import LEGEND_LEVELS, PRESETS
from heat_core.race.setup import COLOURS, CarSetup, LegendSetup, Modules, make_setup
from heat_core.table import Table
from heat_core.view.secrecy import public_setup
from heat_core.wire import messages as m
from heat_core.wire.codec import BadMessage, decode_server_message

_MODULES: Final = (
    Modules(),
    Modules(garage="basic", weather=True),
    Modules(garage="mixed", expansion=True, weather=True),
)
STRANGE_NUMBERS: Final = (-(2**31), -1, 0, 1, 2, 7, 8, 99, 4_001, 100_000, 2**31 - 1)
STRANGE_TEXTS: Final = ("", "heat", "[/b]", "x" * 3_000, "\x1b[2J", "start-5", "no card")


def races() -> Iterator[tuple[m.Started, list[m.Update]]]:
    """Race on each track of the box, with and without modules, as a seat or a spectator hears of it."""
    for number, track in enumerate(found for found in box_tracks() if found.facts is not None):
        cars = [CarSetup(f"Car {n}", COLOURS[n]) for n in range(3)]
        cars.append(CarSetup("Legend 1", COLOURS[3], LegendSetup(*LEGEND_LEVELS["hard"])))
        setup = make_setup(
            load_track(track.name),
            cars,
            seed=f"news {number}",
            laps=1,
            rules=PRESETS["standard" if number % 2 else "rulebook"],
            modules=_MODULES[number % len(_MODULES)],
        )
        table = Table(setup, {0: "human", 1: "steady", 2: "random"})
        seat = None if number % 3 == 2 else 0
        yield m.Started(seat, public_setup(setup), (0, 1, 2, None)), list(_updates(table, seat))


def _updates(table: Table, seat: int | None) -> Iterator[m.Update]:
    since = 0
    yield update_of(table, seat, 0)
    while not table.is_over:
        since = table.event_number
        if table.bot_due():
            table.step_bot()
        else:
            table.play_default(0)
        yield update_of(table, seat, since)


def update_of(table: Table, seat: int | None, since: int) -> m.Update:
    decisions = tuple(m.OpenDecision(one.seat, one.kind, one.has_chosen, 30_000) for one in table.decisions())
    return m.Update(table.event_number, table.events_since(since, seat), table.view(seat), decisions, ())


def mutated(message: m.ServerMessage, luck: random.Random) -> m.ServerMessage | None:
    """Change something somewhere in a message; None where a client would not even decode it."""
    plain = msgspec.to_builtins(message)
    for _ in range(luck.choice((1, 1, 1, 2, 5))):
        _change(plain, luck)
    return decoded(msgspec.msgpack.encode(plain))


def decoded(payload: bytes) -> m.ServerMessage | None:
    """Decode what a server might send, as a client does; None where that is refused."""
    try:
        return decode_server_message(payload)
    except BadMessage:
        return None


def _change(plain: Any, luck: random.Random) -> None:
    """Walk down by luck, and change what is found at the end."""
    holder: Any = None
    key: Any = None
    while isinstance(plain, dict | list | tuple) and plain and not (holder and luck.random() < 0.1):
        holder, key = plain, luck.choice([*plain] if isinstance(plain, dict) else range(len(plain)))
        inner = holder[key]
        if isinstance(inner, tuple):
            holder[key] = inner = [*inner]
        plain = inner
    if holder is None:
        return
    match plain:
        case bool():
            holder[key] = not plain
        case int():
            holder[key] = luck.choice((*STRANGE_NUMBERS, plain + 1, plain - 1))
        case str():
            holder[key] = luck.choice(STRANGE_TEXTS)
        case list() if plain:
            change = luck.choice(("drop", "double", "flood", "empty"))
            if change == "drop":
                plain.pop(luck.randrange(len(plain)))
            elif change == "empty":
                plain.clear()
            else:
                plain.extend([luck.choice(plain)] * (1 if change == "double" else 5_000))
        case None:
            holder[key] = luck.choice((0, "", [], 7))
        case _:
            holder[key] = None
