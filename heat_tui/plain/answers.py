"""From a typed answer to a half-made choice; and from a choice to words that would be typed for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from heat_core.cards import CardName
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
)
from heat_core.race import commands as c
from heat_core.sentences.card_words import card_name
from heat_core.text import counted, listed
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.race_view import OwnView
from heat_tui.plain.answer_words import is_nothing, is_yes
from heat_tui.plain.reactions import reaction_names, read_reaction
from heat_tui.plain.reading import read_cards, read_numbers
from heat_tui.race.draft import DONE, Draft

AT_ONCE: Final = "!"
"""At the end of an answer: it needs no Enter to confirm it."""

_STAY: Final = "stay"
_KEEP: Final = "keep"


class Answer(NamedTuple):
    """What came of a typed answer.

    Attributes:
        refusal: Why it is none, in one sentence; empty where the draft says it now.
        is_final: Whether it need not be confirmed, for it was typed so.
    """

    refusal: str = ""
    is_final: bool = False


def take_answer(observation: Observation, draft: Draft, text: str) -> Answer:
    """Put a typed answer into a draft; where it is refused, what the draft then says does not matter."""
    is_at_once = text.endswith(AT_ONCE)
    answer = _take(observation, draft, text.removesuffix(AT_ONCE).strip())
    return answer._replace(is_final=True) if is_at_once and not answer.refusal else answer


def _take(observation: Observation, draft: Draft, text: str) -> Answer:
    own, word = observation.own, text.casefold()
    if is_nothing(word):
        return _take_nothing(observation, draft)
    match own.choice:
        case GearChoice():
            return _take_gear(observation, draft, word)
        case CardsChoice():
            return _take_cards(own, own.choice, draft, text)
        case ValueChoice():
            return _take_values(own.choice, draft, text)
        case ReactChoice():
            return _take_reaction(own.choice, draft, word)
        case UnpaidChoice():
            return _take_row(draft, text, len(own.choice.ways))
        case SlipstreamChoice():
            return _take_slipstream(own.choice, draft, word)
        case DiscardChoice():
            return _take_discards(own, own.choice, draft, word)
        case PickChoice():
            return _take_pick(own.choice, draft, text)
        case SwapChoice():
            return _take_swap(observation, own.choice, draft, word)
        case None:
            return Answer("You have nothing to decide now.")


def _take_nothing(observation: Observation, draft: Draft) -> Answer:
    """Put into a draft that nothing more is wanted, which the same words say at each question."""
    choice = observation.own.choice
    match choice:
        case GearChoice():
            return Answer(draft.put_gear(observation, observation.own_car.gear))
        case CardsChoice(is_cluttered=False):
            return Answer(f"You must play {counted(choice.count, 'card')}.")
        case ReactChoice():
            draft.row, draft.salvage = DONE, None
            return Answer(choice.must)
        case SlipstreamChoice():
            draft.spaces = 0
        case DiscardChoice():
            draft.picked.clear()
        case SwapChoice():
            draft.row = DONE
        case ValueChoice() | UnpaidChoice() | PickChoice():
            return Answer("You must choose here; nothing is no answer.")
        case CardsChoice() | None:
            pass
    return Answer()


def _take_gear(observation: Observation, draft: Draft, word: str) -> Answer:
    steps = {"down": -1, "up": 1}
    if word in steps:
        return Answer(draft.shift(observation.own, steps[word]))
    if word == _STAY:
        return _take_nothing(observation, draft)
    word = word.removeprefix("gear ").lstrip()
    numbers = read_numbers(word[:1] if word in ("1st", "2nd", "3rd", "4th") else word)
    if numbers is None or len(numbers) != 1:
        return Answer(f"{word!r} is not a gear. Type the number of a gear.")
    return Answer(draft.put_gear(observation, numbers[0]))


def _take_cards(own: OwnView, choice: CardsChoice, draft: Draft, text: str) -> Answer:
    places = read_cards(text, own.hand, choice.pool)
    if isinstance(places, str):
        return Answer(places)
    if len(places) > choice.count and not choice.is_cluttered:
        return Answer(f"You named {len(places)} cards. Pick {choice.count}.")
    return _pick_all(own, draft, places)


def _pick_all(own: OwnView, draft: Draft, places: list[int]) -> Answer:
    draft.picked.clear()
    for place in places:
        if refusal := draft.toggle(own, place):
            return Answer(refusal)
    return Answer()


def _take_values(choice: ValueChoice, draft: Draft, text: str) -> Answer:
    numbers = read_numbers(text)
    if numbers is None or len(numbers) != len(choice.cards):
        names = ", ".join(card_name(card) for card in choice.cards)
        return Answer(f"Type {counted(len(choice.cards), 'speed')}, for {names}.")
    for row, number in enumerate(numbers):
        draft.row = row
        if refusal := draft.change(choice, number, is_step=False):
            return Answer(refusal)
    return Answer()


def _take_reaction(choice: ReactChoice, draft: Draft, text: str) -> Answer:
    draft.salvage = None
    found = read_reaction(choice, text)
    if isinstance(found, str):
        return Answer(found)
    row, rest = found
    draft.select_row(choice, row)
    if draft.begin_salvage(choice):
        return _take_salvage(choice, draft, rest)
    if not rest:
        return Answer()
    numbers = read_numbers(rest)
    if numbers is None or len(numbers) != 1:
        return Answer(f"{rest!r} is not a number. How much of it?")
    refusal = draft.change(choice, numbers[0], is_step=False)
    if not refusal and draft.amount != numbers[0]:
        refusal = f"{numbers[0]} is not possible; the nearest is {draft.amount}."
    return Answer(refusal)


def _take_salvage(choice: ReactChoice, draft: Draft, text: str) -> Answer:
    assert draft.salvage is not None
    places = read_cards(text, choice.salvageable)
    if isinstance(places, str):
        return Answer(places)
    if not places:
        cards = ", ".join(card_name(card) for card in choice.salvageable)
        return Answer(f"Which cards? Type their names, too. The discard pile has {cards}.")
    named = [choice.salvageable[place] for place in places]
    for row, card in enumerate(draft.salvage.kinds):
        draft.salvage.row = row
        if named.count(card) and (refusal := draft.salvage.change(named.count(card), is_step=False)):
            return Answer(refusal)
    return Answer()


def _take_row(draft: Draft, text: str, rows: int) -> Answer:
    numbers = read_numbers(text)
    if numbers is None or len(numbers) != 1 or not 1 <= numbers[0] <= rows:
        return Answer(f"Type a number from 1 to {rows}.")
    draft.row = numbers[0] - 1
    return Answer()


def _take_slipstream(choice: SlipstreamChoice, draft: Draft, word: str) -> Answer:
    numbers = read_numbers(word.removeprefix("slipstream "))
    if word in (_STAY, "0"):
        draft.spaces = 0
    elif is_yes(word) or word == "slipstream":
        draft.spaces = max(choice.spaces)
    elif numbers and len(numbers) == 1 and numbers[0] in choice.spaces:
        draft.spaces = numbers[0]
    else:
        spaces = listed([str(spaces) for spaces in choice.spaces if spaces], "or")
        return Answer(f"Type {spaces} for that many spaces, or no.")
    return Answer()


def _take_discards(own: OwnView, choice: DiscardChoice, draft: Draft, word: str) -> Answer:
    discarded, _, refreshed = word.partition("refresh")
    places = read_cards(discarded.replace("none", ""), own.hand, choice.pool)
    again = read_cards(refreshed, choice.refreshable)
    if isinstance(places, str):
        return Answer(places)
    if isinstance(again, str):
        return Answer(again)
    return _pick_all(own, draft, [*places, *(len(own.hand) + place for place in again)])


def _take_pick(choice: PickChoice, draft: Draft, text: str) -> Answer:
    if read_numbers(text):
        return _take_row(draft, text, len(choice.offered))
    places = read_cards(text, choice.offered)
    if isinstance(places, str):
        return Answer(places)
    if len(places) != 1:
        return Answer("Pick one card.")
    draft.row = places[0]
    return Answer()


def _take_swap(observation: Observation, choice: SwapChoice, draft: Draft, word: str) -> Answer:
    if word == _KEEP:
        return _take_nothing(observation, draft)
    numbers = read_numbers(word.replace("for", " "))
    if numbers is None or len(numbers) != 2:
        return Answer("Type the number of yours, then the number of the one you take, or keep.")
    give, take = numbers[0] - 1, numbers[1] - 1
    if not 0 <= give < len(choice.owned) or not 0 <= take < len(choice.left):
        return Answer(f"Yours are 1 to {len(choice.owned)}, the others 1 to {len(choice.left)}.")
    draft.give, draft.row = give, take
    return Answer()


def example_of(observation: Observation) -> str:
    """Give an answer to the open decision that would be accepted, as it would be typed."""
    own = observation.own
    if isinstance(own.choice, DiscardChoice) and own.choice.most:
        return words_of(own, c.Discard(own.choice.pool[:1]))
    return words_of(own, default_command(observation))


def words_of(own: OwnView, command: c.Command) -> str:
    """Say a legal command as it would be typed in answer to what is open."""
    choice = own.choice
    match command:
        case c.ShiftGear():
            return str(command.gear)
        case c.PlayCards():
            return _named(command.cards, own.hand) or "none"
        case c.Discard():
            told = _named(command.cards, own.hand) or "none"
            if not command.refresh or not isinstance(choice, DiscardChoice):
                return told
            return f"{told} refresh {_named(command.refresh, choice.refreshable)}"
        case c.ChooseValue():
            return " ".join(str(value) for value in command.values)
        case c.UseSymbol() if isinstance(choice, ReactChoice):
            return _reaction_words(choice, command)
        case c.DropUnpaid() if isinstance(choice, UnpaidChoice):
            return str(choice.ways.index(command.cards) + 1)
        case c.Slipstream():
            return str(command.spaces) if command.spaces else "no"
        case c.EndReact():
            return "done"
        case c.PickUpgrade() if isinstance(choice, PickChoice):
            return str(choice.offered.index(command.card) + 1)
        case c.SwapUpgrade() if isinstance(choice, SwapChoice):
            if command.give is None or command.take is None:
                return "keep"
            return f"{choice.owned.index(command.give) + 1} for {choice.left.index(command.take) + 1}"
        case _:
            raise ValueError(f"{command} is no answer to {choice}")


def _reaction_words(choice: ReactChoice, command: c.UseSymbol) -> str:
    row, amount = command.number, str(command.amount)
    if row == len(choice.symbols):
        row += [None if use.reason else use.card for use in choice.direct].index(command.cards[0])
    elif command.cards:
        amount = _named(command.cards, choice.salvageable).replace(",", "")
    name = next(name for name, other in reaction_names(choice).items() if other == row)
    return f"{name} {amount}"


def _named(cards: Sequence[CardName], pool: Sequence[CardName]) -> str:
    """Name cards of a pool, those that another one shares its name with by their place."""
    names = {card: card_name(card) for card in pool}
    left: list[CardName | None] = [*pool]
    words = []
    for card in cards:
        place = left.index(card)
        left[place] = None
        is_alone = list(names.values()).count(names[card]) == 1
        words.append(names[card] if is_alone else f"#{place + 1}")
    return ", ".join(words)
