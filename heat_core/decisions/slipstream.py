"""Phase 6: a slipstream, or none. docs/rules.md: Slipstream (TURN-13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heat_core.decisions.base import ChoiceKind
from heat_core.decisions.choices import SlipstreamChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import Slipstream
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.turn import slipstreams


def _make(race: Race, seat: Seat) -> SlipstreamChoice:
    possible = slipstreams(race, seat)
    return SlipstreamChoice((0, *possible), (seat.progress, *possible.values()))


def _verify(race: Race, seat: Seat, command: Slipstream) -> None:
    possible = _make(race, seat).spaces
    if command.spaces not in possible:
        raise Refused(
            RefusalCode.NO_SLIPSTREAM, f"A slipstream of {command.spaces} spaces is not possible.", possible
        )


def _list_commands(choice: SlipstreamChoice) -> Iterator[Slipstream]:
    return (Slipstream(spaces) for spaces in choice.spaces)


def _sample(choice: SlipstreamChoice, stream: Stream) -> Slipstream:
    return Slipstream(stream.choose(choice.spaces))


def _only_answer(choice: SlipstreamChoice) -> Slipstream | None:
    return Slipstream(0) if choice.spaces == (0,) else None


SLIPSTREAM: Final = ChoiceKind(
    "slipstream", SlipstreamChoice, _make, _verify, _list_commands, _sample, _only_answer
)
