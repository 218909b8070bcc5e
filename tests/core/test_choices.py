"""Exactly the commands of a choice are accepted; all others are refused, with a reason and without effect."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from heat_core import commands as c
from heat_core.choices import choice_of, enumerate_commands, sample_command
from heat_core.engine import decide, step
from heat_core.presets import PRESETS, PresetName
from heat_core.race import Phase, Race, dump_race
from heat_core.refusal import Refused
from heat_core.rng import Stream
from tests.core.support import RandomPlay, setup_of

EVERYTHING: tuple[c.Command, ...] = (
    *(c.ShiftGear(gear) for gear in (-1, 0, 1, 2, 3, 4, 5, 99)),
    *(c.PlayCards(cards) for cards in ((), ("1",), ("heat",), ("1", "2"), ("4", "4", "4", "4"), ("none",))),
    *(c.UseSymbol(number, amount) for number in (0, 1, 2, 3, 99) for amount in (0, 1, 2, 3, 99)),
    c.UseSymbol(0, 1, ("1",)),
    c.EndReact(),
    *(c.Slipstream(spaces) for spaces in (0, 1, 2, 3, -2)),
    *(c.Discard(cards) for cards in ((), ("1",), ("heat",), ("stress",), ("1", "1", "1", "1"))),
    c.Discard((), ("1",)),
)


def key(command: c.Command) -> c.Command:
    """Name a command by what it means: cards are a multiset."""
    match command:
        case c.PlayCards(cards):
            return c.PlayCards(tuple(sorted(cards)))
        case c.Discard(cards, refresh):
            return c.Discard(tuple(sorted(cards)), refresh)
        case _:
            return command


def near_misses(race: Race, seat: int) -> Iterator[c.Command]:
    """Think up commands around the right ones."""
    yield from EVERYTHING
    hand = tuple(race.seat(seat).hand)
    for count in range(len(hand) + 1):
        yield c.PlayCards(hand[:count])
        yield c.PlayCards(hand[len(hand) - count :])
        yield c.Discard(hand[:count])


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", ["usa", "japan", "spain"])
def test_exactly_the_commands_of_the_choice_are_accepted(board: str, preset: PresetName) -> None:
    setup = setup_of(board, seats=3, legends=1, laps=1, seed=f"{board}{preset}", rules=PRESETS[preset])
    game = RandomPlay(setup, board)
    kinds = set()
    steps = 0
    while game.race.phase is not Phase.ENDED and steps < 90:
        steps += 1
        race = game.race
        before = dump_race(race)
        for seat, decision in race.open.items():
            # A secret choice is open to its seat until it turns up, chosen already or not.
            kinds.add(decision.kind)
            choice = choice_of(race, seat)
            commands = list(enumerate_commands(choice))
            assert len({repr(key(command)) for command in commands}) == len(commands)
            allowed = {repr(key(command)) for command in commands}
            for command in commands[:: max(1, len(commands) // 12)]:
                decide(race, seat, command)
            for command in near_misses(race, seat):
                if repr(key(command)) in allowed:
                    decide(race, seat, command)
                else:
                    with pytest.raises(Refused) as refused:
                        step(race, seat, command)
                    assert refused.value.code.startswith("act/")
                    assert refused.value.text.endswith(".")
            for number in range(5):
                sampled = sample_command(choice, Stream(f"{steps}/{number}"))
                assert repr(key(sampled)) in allowed
            for number in range(2):
                assert refusal_of(race, seat, number)
        assert dump_race(race) == before
        game.step()
    assert kinds >= {"gear", "cards", "react", "discard"}


def refusal_of(race: Race, seat: int, number: int) -> bool:
    """Tell whether somebody who is not asked is refused: a Legend, a car that does not exist."""
    outsider = (3, 99)[number]
    with pytest.raises(Refused):
        step(race, outsider, c.ShiftGear(1))
    return seat != outsider


def test_step_decides_on_the_race_and_decide_on_a_copy() -> None:
    setup = setup_of(seats=2, legends=1, laps=1, seed="copy")
    game = RandomPlay(setup, "copy")
    for _ in range(60):
        race = game.race
        seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
        command = sample_command(choice_of(race, seat), game.stream)
        before = dump_race(race)
        after, events = decide(race, seat, command)
        assert dump_race(race) == before
        with pytest.raises(Refused):
            step(race, seat, c.PlayCards(("no such card",)))
        assert dump_race(race) == before
        assert step(race, seat, command) == events
        assert dump_race(race) == dump_race(after)
        game.check(events)


def test_cards_are_conserved_after_every_step() -> None:
    for preset, rules in PRESETS.items():
        RandomPlay(setup_of("gb", seats=5, legends=1, seed=preset, rules=rules), preset).run()
