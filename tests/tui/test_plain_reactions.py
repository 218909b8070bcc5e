"""What is typed in phase 5: names that stay the same for a turn, several in one answer, nothing more."""

from __future__ import annotations

from typing import Final

import pytest

from heat_core.decisions import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
    sample_command,
)
from heat_core.options.table_options import LocalOptions
from heat_core.race import commands as c
from heat_core.race.events import Symbol
from heat_core.race.normal_form import normalised
from heat_core.rng import Stream
from heat_core.rules.offers import DirectUse, SymbolUse
from heat_core.sentences.card_words import card_name
from heat_core.view.observation import Observation
from heat_tui.client.local import LocalSession
from heat_tui.flow.asking import draft_for
from heat_tui.plain.answers import take_answer
from heat_tui.plain.reactions import reaction_names, read_reaction, split_reactions, usable_names
from tests.tui.support_plain import by_script, race
from tests.tui.support_race import DRAW, table_at
from tests.tui.test_plain_answers import table_with

NOTHING: Final = ("done", "no", "none", "skip")


def use(kind: str, source: str, most: int = 1, card: int = 0) -> SymbolUse:
    return SymbolUse(Symbol(kind, 1, source, card), False, 1, most, 0, "" if most else "Already used.")  # type: ignore[arg-type]  # a literal


CHOICE = ReactChoice(
    (
        use("cooldown", "gear", 3),
        use("cooldown", "adrenaline"),
        use("speed", "adrenaline"),
        use("boost", "gear"),
        use("cooldown", "cooling-2", 2, card=1),
        use("cooldown", "cooling-3", 1, card=2),
        use("reduce_stress", "body-1", 0, card=3),
        use("slipstream", "rpm-1", 0, card=4),
    ),
    (DirectUse("gas-4", (4,), 1, 0, ""), DirectUse("gas-1", (1,), 0, 0, "")),
)


def test_what_can_be_used_has_a_name() -> None:
    assert list(reaction_names(CHOICE)) == [
        *("cool", "adrenaline cool", "adrenaline speed", "boost", "cooling cool", "second cooling cool"),
        *("body calm", "gas pedal 4", "gas pedal 1"),
    ]
    assert "body calm" not in usable_names(CHOICE)


@pytest.mark.parametrize(
    ("typed", "row", "rest"),
    [
        ("cool 3", 0, "3"),
        ("c", 0, ""),
        ("COOL", 0, ""),
        ("adrenaline speed", 2, ""),
        ("as", 2, ""),
        ("ac 1", 1, "1"),
        ("a s", 2, ""),
        ("b", 3, ""),
        ("boost", 3, ""),
        ("cooling cool 2", 4, "2"),
        ("scc", 5, ""),
        ("body calm", 6, ""),
        ("gas pedal 4", 8, ""),
        ("gas pedal 1", 9, ""),
    ],
)
def test_a_name_its_initials_or_enough_of_it_names_a_reaction(typed: str, row: int, rest: str) -> None:
    assert read_reaction(CHOICE, typed) == (row, rest)


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("adrenaline", "'adrenaline' could be adrenaline cool or adrenaline speed."),
        ("gas pedal", "'gas pedal' could be gas pedal 4 or gas pedal 1."),
        ("fly", "Nothing in this turn is called 'fly'. You can type cool, adrenaline cool, "),
    ],
)
def test_what_names_none_or_several_is_refused(typed: str, refusal: str) -> None:
    answer = read_reaction(CHOICE, typed)
    assert isinstance(answer, str)
    assert answer.startswith(refusal)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("adrenaline speed", "You have no adrenaline this turn: the last cars have it"),
        ("cool 2", "Nothing cools this turn: "),
        ("boost", "You cannot boost this turn: "),
    ],
)
def test_what_this_turn_lacks_is_refused_with_the_reason(typed: str, why: str) -> None:
    answer = read_reaction(ReactChoice(()), typed)
    assert isinstance(answer, str)
    assert answer.startswith(why)
    assert answer.endswith("You can type done.")


def test_an_answer_is_split_where_the_next_name_begins() -> None:
    assert split_reactions(CHOICE, "cool 3, as, boost") == ["cool 3", "as", "boost"]
    assert split_reactions(CHOICE, "cool 3, done") == ["cool 3", "done"]
    assert split_reactions(CHOICE, "salvage 4, stress") == ["salvage 4 stress"]


REACTING: Final = {
    "Ana": f"lap 1 space 20 gear 1 engine 4 hand 1 heat heat heat 2 {DRAW}",
    "L1": "lap 1 space 40 legend easy",
}
"""First gear, and the last place, which brings adrenaline."""


@pytest.mark.asyncio
async def test_several_reactions_go_in_one_answer() -> None:
    session = LocalSession(table_at(REACTING))
    terminal, _ = await race(session, by_script("1!", "cool 2, adrenaline speed!"))
    view = session.view(0)
    assert view.cars[0].engine == 6
    assert "Ana, adrenaline, 1 space, to 22." in terminal.text
    assert sum("Stop on" in prompt for prompt in terminal.prompts) == 2, (
        "asked before, and what is left behind"
    )


@pytest.mark.asyncio
async def test_several_reactions_are_said_back_and_confirmed_one_by_one() -> None:
    session = LocalSession(table_at(REACTING))
    terminal, _ = await race(session, by_script("1!", "cool 2, as", "", "", "done!"))
    assert "Then: as." in terminal.text
    assert session.view(0).cars[0].engine == 6
    assert "Ana, adrenaline, 1 space, to 22." in terminal.text


@pytest.mark.asyncio
async def test_an_answer_with_a_part_that_is_none_does_nothing() -> None:
    session = LocalSession(table_at(REACTING))
    terminal, _ = await race(session, by_script("1!", "cool 2, fly!", ""))
    assert "'2 fly' is not a number." in terminal.text
    assert session.view(0).cars[0].engine == 4


@pytest.mark.asyncio
async def test_what_can_no_longer_be_used_is_said() -> None:
    session = LocalSession(table_at(REACTING))
    terminal, _ = await race(session, by_script("1!", "done, cool 2!", "again"))
    assert "Not used, for there is nothing more to use: cool 2." in terminal.text
    assert session.view(0).cars[0].engine == 4


def nothing_said(observation: Observation, word: str) -> c.Command | str:
    draft = draft_for(observation, None)
    assert draft is not None
    refusal = take_answer(observation, draft, word).refusal
    return refusal or draft.command(observation.own)


def assert_nothing_more(observation: Observation) -> None:
    """Whatever is asked, the four words mean the same: nothing more, or that something must be chosen."""
    said = {word: nothing_said(observation, word) for word in NOTHING}
    assert len({repr(answer) for answer in said.values()}) == 1, said
    answer = said["done"]
    match observation.own.choice:
        case GearChoice() as choice:
            gear = observation.own_car.gear
            can_stay = any(option.gear == gear for option in choice.options)
            assert isinstance(answer, str) != can_stay
            assert not can_stay or answer == c.ShiftGear(gear)
        case CardsChoice(is_cluttered=True):
            assert answer == c.PlayCards(())
        case ReactChoice() as choice:
            assert answer == (choice.must or c.EndReact())
        case SlipstreamChoice():
            assert answer == c.Slipstream(0)
        case DiscardChoice():
            assert answer == c.Discard(())
        case SwapChoice():
            assert answer == c.SwapUpgrade(None, None)
        case CardsChoice() | ValueChoice() | UnpaidChoice() | PickChoice() | None:
            assert isinstance(answer, str), "something must be chosen"


@pytest.mark.spec("EAR-2")
@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_a_word_never_means_two_things_in_a_turn_and_nothing_more_is_said_alike(seed: str) -> None:
    """Whatever is typed in a turn names one symbol of it, used or not, in each of its questions."""
    table = table_with(LocalOptions(garage="mixed", expansion=True, weather=True), seed)
    stream = Stream(f"stable/{seed}")
    meanings: dict[str, object] = {}
    reactions = 0
    for _ in range(600):
        if table.is_over:
            break
        decision = next(decision for decision in table.decisions() if not decision.has_chosen)
        observation = table.observation(decision.seat)
        choice, turn = observation.own.choice, observation.view.turn
        assert choice is not None
        assert_nothing_more(observation)
        if isinstance(choice, ReactChoice) and turn is not None:
            reactions += 1
            for word in words_worth_typing(choice):
                meaning = meaning_of(choice, word)
                key = f"{observation.view.round}/{turn.car}/{word}"
                assert meaning is None or meanings.setdefault(key, meaning) == meaning, (word, meaning)
        table.submit(decision.seat, decision.decision, normalised(sample_command(choice, stream)))
    assert reactions > 10


def words_worth_typing(choice: ReactChoice) -> set[str]:
    """Give each name, its initials, and every beginning of it."""
    words = {"c", "b", "a", "as", "ac", "cool", "speed", "boost", "gas", "gas pedal", "second"}
    for name in reaction_names(choice):
        parts = name.split()
        words |= {name, "".join(part[0] for part in parts)}
        words |= {" ".join(parts[:number]) for number in range(1, len(parts) + 1)}
        words |= {name[:number].strip() for number in range(1, len(name))}
    return words


def meaning_of(choice: ReactChoice, word: str) -> object:
    """Say what a word means, in terms that outlast its row; None where it is refused."""
    found = read_reaction(choice, word)
    if isinstance(found, str) or found[1]:
        return None
    row = found[0]
    if row >= len(choice.symbols):
        return card_name(choice.direct[row - len(choice.symbols)].card)
    symbol = choice.symbols[row].symbol
    return card_name(symbol.source) if symbol.kind == "direct" else (row, symbol.kind)
