"""What a client knows is a typed picture of what it was told, and nobody there can change it."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from heat_core.race.setup import RaceSetup
from heat_core.view.race_view import OwnView, RaceView
from heat_core.wire.messages import ServerMessage
from heat_tui.client.local import LocalSession
from tests.tui.support_race import DRAW, table_at

PLAIN = (str, int, float, bool, bytes, type(None))

CARS = {
    "Ana": f"lap 1 space 30 gear 2 engine 5 hand 1 2 3 4 {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 hand 4 4 3 3 {DRAW}",
}


def changeable(hint: Any, path: str, seen: set[object]) -> Iterator[str]:
    """Name every place below a type at which a value could be changed, or is of no certain type.

    That nobody writes to a `Mapping` is checked where types are.
    """
    origin = get_origin(hint)
    if origin is Annotated:
        yield from changeable(get_args(hint)[0], path, seen)
    elif origin is Literal or hint is Ellipsis or hint in PLAIN:
        return
    elif origin in (Union, types.UnionType, tuple, frozenset, Mapping):
        for argument in get_args(hint):
            yield from changeable(argument, path, seen)
    elif isinstance(hint, type) and issubclass(hint, Enum):
        return
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        if not hint.__struct_config__.frozen:
            yield f"{path}: {hint.__name__} is not frozen"
        yield from _fields(hint, path, seen)
    elif isinstance(hint, type) and issubclass(hint, tuple):
        yield from _fields(hint, path, seen)
    else:
        yield f"{path}: {hint}"


def _fields(owner: type, path: str, seen: set[object]) -> Iterator[str]:
    if owner in seen:
        return
    seen.add(owner)
    for name, hint in get_type_hints(owner, include_extras=True).items():
        if not name.startswith("__") and name in (getattr(owner, "_fields", None) or owner.__struct_fields__):  # type: ignore[attr-defined]  # one of both
            yield from changeable(hint, f"{path}.{name}", seen)


@pytest.mark.spec("APP-5")
@pytest.mark.parametrize("told", [RaceView, RaceSetup, ServerMessage], ids=["view", "setup", "messages"])
def test_nothing_that_a_session_tells_can_be_changed(told: Any) -> None:
    seen: set[object] = set()
    assert list(changeable(told, "", seen)) == []
    assert len(seen) > 2


def test_the_walk_finds_what_could_be_changed() -> None:
    class Loose(msgspec.Struct):
        cards: list[str]

    class Holder(msgspec.Struct, frozen=True):
        loose: tuple[Loose, ...]
        anything: Any

    hints = get_type_hints(Holder, localns={"Loose": Loose})
    found = [line for name in ("loose", "anything") for line in changeable(hints[name], name, set())]
    assert found == ["loose: Loose is not frozen", "loose.cards: list[str]", "anything: typing.Any"]


@pytest.mark.spec("APP-5")
def test_a_screen_that_tried_would_fail_and_the_table_would_not_notice() -> None:
    session = LocalSession(table_at(CARS))
    view = session.view(0)
    before = msgspec.json.encode(view)
    for part in (view, view.own, view.cars[0], session.setup, session.events_since(0, 0)[0]):
        assert isinstance(part, msgspec.Struct)
        with pytest.raises(AttributeError, match="immutable"):
            setattr(part, part.__struct_fields__[0], None)
    assert msgspec.json.encode(session.view(0)) == before


@pytest.mark.spec("APP-5")
def test_what_a_seat_alone_may_know_lies_apart_from_what_all_may() -> None:
    """All secrets are in `own`: without it the views of seats and spectators are one and the same."""
    session = LocalSession(table_at(CARS))
    views = [session.view(seat) for seat in (None, 0, 1)]
    assert [view.own if view.own is None else view.own.seat for view in views] == [None, 0, 1]
    assert len({msgspec.json.encode(msgspec.structs.replace(view, own=None)) for view in views}) == 1
    assert not {"hand", "choice", "chosen"} & set(get_type_hints(RaceView))
    assert {"hand", "choice", "chosen"} <= set(get_type_hints(OwnView))
    assert session.setup.seed is None
