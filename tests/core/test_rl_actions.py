"""Decisions as actions: what can be done action by action is exactly what the rules allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import islice

import pytest

from heat_core.cards import CATALOGUE
from heat_core.data.weather import SectorEffect
from heat_core.decisions import Choice, ReactChoice, choice_of, enumerate_commands, kind_of
from heat_core.decisions.kinds import KINDS
from heat_core.race import commands as c
from heat_core.race.events import Symbol
from heat_core.race.normal_form import normalised
from heat_core.race.phase import Phase
from heat_core.rl.actions import (
    ACTIONS,
    MOST_NUMBER,
    TakeCard,
    TakeNumber,
    TakeSymbol,
    action_number,
    action_text,
    follow,
)
from heat_core.rng import Stream
from heat_core.rules.movement import SLIPSTREAM_SPACES
from heat_core.rules.offers import SymbolUse
from heat_core.rules.shifting import GEARS
from tests.core.random_setups import random_module_setup
from tests.core.support import RandomPlay

MOST_LISTED = 64
"""Of a choice with more commands only some answers are drawn."""


def all_answers(choice: Choice, taken: tuple[int, ...] = ()) -> Iterator[c.Command]:
    """Go every way through a choice."""
    step = follow(choice, taken)
    if step.command is not None:
        yield step.command
    for number in step.legal:
        yield from all_answers(choice, (*taken, number))


def some_answer(choice: Choice, stream: Stream) -> c.Command:
    """Go one way at random."""
    taken: list[int] = []
    while (command := follow(choice, taken).command) is None:
        taken.append(stream.choose(follow(choice, taken).legal))
    return command


def what_it_does(choice: Choice, command: c.Command) -> Hashable:
    """Make commands the same that use different symbols for the same."""
    command = normalised(command)
    if isinstance(command, c.UseSymbol) and isinstance(choice, ReactChoice):
        if command.number < len(choice.symbols):
            symbol = choice.symbols[command.number].symbol
            return symbol.kind, command.amount, command.cards, symbol.kind == "heat" and symbol.source
    return command


@pytest.mark.parametrize("seed", range(12))
def test_every_command_can_be_said_in_actions_and_nothing_else(seed: int) -> None:
    stream = Stream(f"actions {seed}")
    play = RandomPlay(random_module_setup(stream), stream)
    kinds: Counter[str] = Counter()
    while play.race.phase is not Phase.ENDED and play.race.round < 12:
        for seat in play.race.owing:
            choice = choice_of(play.race, seat)
            allowed = list(islice(enumerate_commands(choice), MOST_LISTED + 1))
            if len(allowed) <= MOST_LISTED:
                said = list(all_answers(choice))
                assert {normalised(command) for command in said} <= {normalised(one) for one in allowed}
                assert {what_it_does(choice, command) for command in said} == {
                    what_it_does(choice, command) for command in allowed
                }
                kinds[kind_of(choice)] += 1
        seat = stream.choose(play.race.owing)
        play.say(seat, some_answer(choice_of(play.race, seat), stream))
    assert kinds.keys() >= {"gear", "cards", "react", "discard"}


def test_the_seeds_above_meet_every_kind_of_decision() -> None:
    met: set[str] = set()
    for seed in range(12):
        stream = Stream(f"actions {seed}")
        play = RandomPlay(random_module_setup(stream), stream)
        while play.race.phase is not Phase.ENDED and play.race.round < 12:
            met |= {kind_of(choice_of(play.race, seat)) for seat in play.race.owing}
            seat = stream.choose(play.race.owing)
            play.say(seat, some_answer(choice_of(play.race, seat), stream))
    assert met == KINDS.keys()


def react(*uses: SymbolUse) -> ReactChoice:
    return ReactChoice(uses)


def use(
    kind: str, number: int, source: str, card: int = 0, line: int | None = None, least: int = 1
) -> SymbolUse:
    return SymbolUse(Symbol(kind, number, source, card, line), False, least, number, 0, "")  # type: ignore[arg-type]


def test_of_symbols_of_a_kind_the_one_goes_whose_loss_costs_least() -> None:
    choice = react(
        use("cooldown", 3, "gear"), use("cooldown", 1, "adrenaline"), use("cooldown", 1, "sector", line=9)
    )
    one, three = (action_number(TakeSymbol("cooldown", amount)) for amount in (1, 3))
    assert follow(choice, [one]).command == c.UseSymbol(2, 1)
    assert follow(choice, [three]).command == c.UseSymbol(0, 3)


def test_it_is_asked_whose_heat_is_paid_where_cards_differ() -> None:
    choice = react(
        use("heat", 1, "rpm-5", 1), use("heat", 2, "turbo-1", 2, least=2), use("heat", 1, "rpm-5", 3)
    )
    heat = action_number(TakeSymbol("heat", 1))
    cards = [action_number(TakeCard(card)) for card in ("rpm-5", "turbo-1")]
    assert follow(choice, [heat]).legal == tuple(sorted(cards))
    assert [follow(choice, [heat, card]).command for card in cards] == [
        c.UseSymbol(0, 1),
        c.UseSymbol(1, 2),
    ]


def test_there_is_an_action_for_the_longest_slipstream_and_every_speed() -> None:
    by_card = max(dict(card.symbols).get("slipstream", 0) for card in CATALOGUE.values())
    by_sector: dict[SectorEffect, int] = {"slipstream+1": 1, "slipstream+2": 2}
    longest = SLIPSTREAM_SPACES + max(GEARS) * by_card + max(by_sector.values())
    assert longest == MOST_NUMBER
    assert max(speed for card in CATALOGUE.values() for speed in card.speeds) <= MOST_NUMBER


def test_actions_have_names_and_keep_their_places() -> None:
    names = [action_text(number) for number in range(len(ACTIONS))]
    assert len(set(names)) == len(ACTIONS)
    assert [action_number(action) for action in ACTIONS] == list(range(len(ACTIONS)))
    assert names[:6] == ["done", "gear 1", "gear 2", "gear 3", "gear 4", "card 1"]
    assert {"card start-5", "number 0", "boost", "cooldown 2"} <= set(names)
    assert ACTIONS[names.index("number 16")] == TakeNumber(16)
