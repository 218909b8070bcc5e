"""Before the race: an own upgrade for one that the draft left. docs/rules.md: Setting up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from heat_core.decisions.base import ChoiceKind
from heat_core.decisions.choices import SwapChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import SwapUpgrade
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream


def _make(race: Race, seat: Seat) -> SwapChoice:
    return SwapChoice(seat.upgrades, tuple(race.offered))


def _verify(race: Race, seat: Seat, command: SwapUpgrade) -> None:
    if command.give is None and command.take is None:
        return
    if command.give not in seat.upgrades or command.take not in race.offered:
        raise Refused(
            RefusalCode.NOT_OFFERED,
            "A swap needs one of your own upgrades and one that was left, or neither.",
            (*seat.upgrades, *race.offered),
        )


def _list_commands(choice: SwapChoice) -> Iterator[SwapUpgrade]:
    yield SwapUpgrade(None, None)
    for give, take in dict.fromkeys(product(choice.owned, choice.left)):
        yield SwapUpgrade(give, take)


def _sample(choice: SwapChoice, stream: Stream) -> SwapUpgrade:
    if not (choice.owned and choice.left) or not stream.below(2):
        return SwapUpgrade(None, None)
    return SwapUpgrade(stream.choose(choice.owned), stream.choose(choice.left))


def _only_answer(choice: SwapChoice) -> SwapUpgrade | None:
    return None if choice.owned and choice.left else SwapUpgrade(None, None)


SWAP: Final = ChoiceKind("swap", SwapChoice, _make, _verify, _list_commands, _sample, _only_answer)
