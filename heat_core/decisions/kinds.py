"""The nine kinds of choice in one table, and the functions that work on any of them (CORE-13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final, TypeAlias

from heat_core.decisions.base import ChoiceKind
from heat_core.decisions.cards import CARDS
from heat_core.decisions.choices import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.decisions.discard import DISCARD
from heat_core.decisions.gear import GEAR
from heat_core.decisions.giving_up import verify_giving_up
from heat_core.decisions.pick import PICK
from heat_core.decisions.react import REACT
from heat_core.decisions.slipstream import SLIPSTREAM
from heat_core.decisions.swap import SWAP
from heat_core.decisions.unpaid import UNPAID
from heat_core.decisions.value import VALUE
from heat_core.race import commands as c
from heat_core.race.cars import Seat
from heat_core.race.normal_form import normalised
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream

Choice: TypeAlias = (
    GearChoice
    | CardsChoice
    | ValueChoice
    | ReactChoice
    | UnpaidChoice
    | SlipstreamChoice
    | DiscardChoice
    | PickChoice
    | SwapChoice
)

# Any: each row has a choice and commands of its own, which a dict cannot say; and only seats are asked.
_Kind: TypeAlias = ChoiceKind[Any, Any]
KINDS: Final[dict[c.DecisionKind, _Kind]] = {
    kind.name: kind for kind in (PICK, SWAP, GEAR, CARDS, VALUE, REACT, UNPAID, SLIPSTREAM, DISCARD)
}
_KINDS_BY_CHOICE: Final[dict[type[Choice], _Kind]] = {kind.choice: kind for kind in KINDS.values()}

# What every decision asks, in one look-up each.
MAKERS: Final[dict[c.DecisionKind, Callable[[Race, Any], Choice]]] = {
    name: kind.make for name, kind in KINDS.items()
}
_VERIFIERS: Final[dict[type[Any], tuple[c.DecisionKind | None, Callable[[Race, Any, Any], None]]]] = {
    command: (name, verify_giving_up if name is None else KINDS[name].verify)
    for command, name in c.ANSWERED.items()
}


def kind_of(choice: Choice) -> c.DecisionKind:
    """Name the kind of decision that a choice belongs to."""
    return _KINDS_BY_CHOICE[type(choice)].name


def choice_of(race: Race, seat_number: int) -> Choice:
    """Describe the open decision of a seat.

    Args:
        seat_number: A seat that has one in `race.open`.
    """
    return MAKERS[race.open[seat_number].kind](race, race.cars[seat_number])


def verify(race: Race, seat_number: int, command: c.Command) -> int | None:
    """Check that a command answers the seat's open decision as the rules allow.

    Args:
        command: As `normalised` makes it.

    Returns:
        The id of the decision, None with `GiveUp`.

    Raises:
        Refused: With the reason; nothing has changed.
    """
    kind, verifier = _VERIFIERS[type(command)]
    decision = race.open.get(seat_number)
    if decision is None:
        _require_driver(race, seat_number)
    elif decision.kind == kind:
        verifier(race, race.cars[seat_number], command)
        return decision.id
    if kind is None:
        verifier(race, race.cars[seat_number], command)
        return None
    if decision is None:
        raise Refused(RefusalCode.NOTHING_TO_DECIDE, "It is not your turn to decide.")
    raise Refused(
        RefusalCode.OTHER_DECISION,
        f"The decision that you must make now is: {decision.kind}.",
        [command.__name__ for command, answered in c.ANSWERED.items() if answered == decision.kind],
        decision.id,
    )


def _require_driver(race: Race, seat_number: int) -> None:
    if race.end is not None:
        raise Refused(RefusalCode.RACE_ENDED, "The race is over.")
    if not 0 <= seat_number < len(race.cars):
        raise Refused(RefusalCode.NOT_A_SEAT, f"There is no car {seat_number}.")
    if type(race.cars[seat_number]) is not Seat:
        raise Refused(RefusalCode.NOT_A_SEAT, f"Car {seat_number} has no driver to decide.")


def enumerate_commands(choice: Choice) -> Iterator[c.Command]:
    """List every command that a choice contains, each multiset of cards once, in a fixed order."""
    yield from _KINDS_BY_CHOICE[type(choice)].list_commands(choice)


@lru_cache(maxsize=16)
def _all_commands(choice: Choice) -> tuple[c.Command, ...]:
    """List every command; kept, for a client may ask again and again where there are thousands."""
    return tuple(enumerate_commands(choice))


def legal_commands(choice: Choice, most: int, stream: Stream) -> tuple[tuple[c.Command, ...], int]:
    """List the commands of a choice, or where there are too many, some of them.

    Args:
        most: How many are wanted, at least 1.
        stream: Draws which; each command has the same chance.

    Returns:
        The commands, in a fixed order where they are all, and how many there are in all.
    """
    commands = _all_commands(choice)
    return (commands if len(commands) <= most else tuple(stream.sample(commands, most))), len(commands)


def sample_command(choice: Choice, stream: Stream) -> c.Command:
    """Pick a command of a choice at random; each has a chance, not all the same."""
    return _KINDS_BY_CHOICE[type(choice)].sample(choice, stream)  # type: ignore[no-any-return]


def only_command(choice: Choice) -> c.Command | None:
    """Give the one command that a choice contains, in its normal form; None where it contains several."""
    first, *others = islice(enumerate_commands(choice), 2)
    return None if others else normalised(first)


def only_answer(choice: Choice) -> c.Command | None:
    """Give the answer to a decision that leaves nothing to decide, None where there is something.

    Programs give it unasked, so it does not show whether anybody is there. Gears, cards to play, values and
    upgrades to pick are always asked for, even where `only_command` finds but one.
    """
    return _KINDS_BY_CHOICE[type(choice)].only_answer(choice)
