"""Before the race: an upgrade of the draft. docs/rules.md: Setting up (GARAGE-1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heat_core.decisions.base import ChoiceKind, always_asked
from heat_core.decisions.choices import PickChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import PickUpgrade
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream


def _make(race: Race, seat: Seat) -> PickChoice:
    return PickChoice(tuple(race.offered))


def _verify(race: Race, seat: Seat, command: PickUpgrade) -> None:
    if command.card not in race.offered:
        raise Refused(RefusalCode.NOT_OFFERED, f"The upgrade {command.card!r} is not on offer.", race.offered)


def _list_commands(choice: PickChoice) -> Iterator[PickUpgrade]:
    return (PickUpgrade(card) for card in dict.fromkeys(choice.offered))


def _sample(choice: PickChoice, stream: Stream) -> PickUpgrade:
    return PickUpgrade(stream.choose(choice.offered))


PICK: Final = ChoiceKind("pick", PickChoice, _make, _verify, _list_commands, _sample, always_asked)
