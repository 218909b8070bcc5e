"""Cards as they are typed: `4 3 stress`, `brakes`, `#5`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from heat_core.cards import CardName
from heat_core.sentences.card_words import card_name
from heat_core.text import listed

_MOST_WORDS: Final = 5
"""Of a card's name."""


def read_cards(
    text: str, cards: Sequence[CardName], offered: Collection[CardName] | None = None
) -> list[int] | str:
    """Find the cards that a text names.

    Args:
        text: Names, or as much of them as distinguishes them, or `#` and the place counted from 1; in any
            letter case, with blanks or commas between.
        cards: Those that can be named; several of a kind are named as often as they are meant.
        offered: Those of them that may be chosen, which alone a wrong name is answered with; None: all.

    Returns:
        Their places, in the order of naming; or what is wrong, in one sentence.
    """
    words = text.casefold().replace(" or ", "/").replace(",", " ").split()
    places: list[int] = []
    while words:
        found = _first_card(words, cards, places, cards if offered is None else offered)
        if isinstance(found, str):
            return found
        place, used = found
        places.append(place)
        del words[:used]
    return places


def _first_card(
    words: Sequence[str], cards: Sequence[CardName], taken: list[int], offered: Collection[CardName]
) -> tuple[int, int] | str:
    """Find the card that some words begin with, and how many of them name it."""
    if words[0].startswith("#"):
        place = int(words[0][1:]) - 1 if words[0][1:].isdecimal() else -1
        if 0 <= place < len(cards) and place not in taken:
            return place, 1
        return f"There is no card {words[0]}. Use #1 to #{len(cards)}, each once."
    left = [place for place in range(len(cards)) if place not in taken]
    for used in range(min(_MOST_WORDS, len(words)), 0, -1):
        typed = _key(" ".join(words[:used]))
        exact = [place for place in left if _key(card_name(cards[place])) == typed]
        begun = [place for place in left if typed and _key(card_name(cards[place])).startswith(typed)]
        found = exact or begun
        kinds = dict.fromkeys(cards[place] for place in found)
        if len(kinds) == 1:
            return found[0], used
        names = dict.fromkeys(card_name(card) for card in kinds)
        if len(names) == 1:
            return (
                f"There are several {next(iter(names))}: name one by its position, such as #{found[0] + 1}."
            )
        if names and used == 1:
            return f"{words[0]!r} could be {listed(list(names), 'or')}. Type more of the name."
    if any(_key(card_name(cards[place])).startswith(_key(words[0])) for place in taken):
        return f"There is no other {card_name(cards[_taken_as(words[0], cards, taken)])} to name."
    if not cards:
        return "There are no cards to name."
    names = dict.fromkeys(card_name(card) for card in cards if card in offered)
    return f"There is no card {words[0]!r} here. There are {', '.join(names)}."


def _taken_as(word: str, cards: Sequence[CardName], taken: Sequence[int]) -> int:
    return next(place for place in taken if _key(card_name(cards[place])).startswith(_key(word)))


def _key(name: str) -> str:
    """What of a name counts: the 5 is +5 on the screens, and 5 in short."""
    return name.casefold().removeprefix("the ").removeprefix("+")


def read_numbers(text: str) -> list[int] | None:
    """Read numbers with blanks or commas between; None where something else is there."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words):
        return None
    return [int(word) for word in words]
