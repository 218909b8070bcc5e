"""Questions in words: where the car is, what there is to choose, what can be typed."""

from __future__ import annotations

from typing import Final

from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.sentences.card_words import card_label, cards_text
from heat_core.sentences.events import gear_name
from heat_core.text import counted, listed
from heat_core.view.observation import Observation
from heat_tui.plain.answers import example_of, react_labels
from heat_tui.plain.words import place_word, sentence_of
from heat_tui.race.draft import DONE, Draft
from heat_tui.words.symbol_text import direct_text, symbol_text
from heat_tui.words.wording import forecast_lines, next_corner_line

CONFIRM: Final = "Enter confirms; or type another answer, or ? for help"
"""Asked once an answer is given and told."""


def question(observation: Observation, draft: Draft) -> str:
    """Ask the open decision: first what one must know, then what may be typed, with an example."""
    choice = observation.own.choice
    assert choice is not None
    parts = [*_state(observation, choice), *_asked(observation, choice, draft)]
    return f"{' '.join(filter(None, parts))} For example: {example_of(observation)}"


def short_question(observation: Observation) -> str:
    """Ask once more, without what was shown the first time."""
    return f"{_short(observation.own.choice)} For example: {example_of(observation)}"


def _short(choice: Choice | None) -> str:
    match choice:
        case GearChoice():
            return _gears_asked(choice)
        case CardsChoice():
            return _cards_asked(choice)
        case ValueChoice():
            return _values_asked(choice)
        case ReactChoice():
            return f"Type {listed([*react_labels(choice), 'done'], 'or')}."
        case UnpaidChoice():
            return f"Type a number from 1 to {len(choice.ways)}."
        case SlipstreamChoice():
            return f"Type {listed([*(str(number) for number in choice.spaces if number), 'no'], 'or')}."
        case DiscardChoice():
            return " ".join(_discards_asked(choice))
        case PickChoice():
            return "Pick one by number or name; cards explains them."
        case SwapChoice():
            return "Type keep, or two numbers such as 1 for 2."
        case None:
            return ""


def _cards_asked(choice: CardsChoice) -> str:
    if choice.is_cluttered:
        return "Your hand is cluttered: you can play no card, and the car will not move. Type none."
    return f"Pick {counted(choice.count, 'card')}."


def _values_asked(choice: ValueChoice) -> str:
    return f"Type {counted(len(choice.cards), 'speed')}."


def _state(observation: Observation, choice: Choice) -> list[str]:
    """Say where the own car stands, as far as the choice needs it."""
    match choice:
        case GearChoice():
            return [
                place_sentence(observation),
                sentence_of(next_corner_line(observation).text),
                hand_sentence(observation),
            ]
        case CardsChoice():
            return [
                f"Round {observation.view.round}.",
                place_sentence(observation),
                sentence_of(next_corner_line(observation).text),
                hand_sentence(observation),
            ]
        case DiscardChoice():
            return [sentence_of(next_corner_line(observation).text), hand_sentence(observation)]
        case _:
            return []


def place_sentence(observation: Observation) -> str:
    """Say place, space, gear and engine of the own car."""
    view, car = observation.view, observation.own_car
    place = place_word(view.ranking.index(car.number) + 1)
    lap = f"lap {car.lap} of {observation.setup.laps}" if car.lap else "on the grid"
    return f"You are {place}, {lap}, space {car.space}, {gear_name(car.gear)} gear, engine {car.engine}."


def hand_sentence(observation: Observation) -> str:
    """Name the cards of the own hand, and those of them that lie face down."""
    hand, face_down = f"Hand: {cards_text(observation.own.hand)}.", observation.own.face_down
    return f"{hand} Played, face down until your turn: {cards_text(face_down)}." if face_down else hand


def _asked(observation: Observation, choice: Choice, draft: Draft) -> list[str]:
    match choice:
        case GearChoice():
            return [_gears_asked(choice)]
        case CardsChoice():
            return [_cards_asked(choice)]
        case ValueChoice():
            told = [
                f"{card_label(card)} can be {listed([str(speed) for speed in sorted(speeds)], 'or')}."
                for card, speeds in zip(choice.cards, choice.speeds, strict=True)
            ]
            return [*told, _values_asked(choice)]
        case ReactChoice():
            return _reactions_asked(observation, choice, draft)
        case UnpaidChoice():
            ways = [f"{number}: drop {cards_text(way)}." for number, way in enumerate(choice.ways, start=1)]
            return [
                "You cannot pay these cards' Heat. Choose which to drop; each is replaced by a flip.",
                *ways,
            ]
        case SlipstreamChoice():
            return _slipstreams_asked(observation, choice, draft)
        case DiscardChoice():
            return _discards_asked(choice)
        case PickChoice():
            cards = [f"{number}: {card_label(card)}." for number, card in enumerate(choice.offered, start=1)]
            return ["On offer in the garage:", *cards, _short(choice)]
        case SwapChoice():
            own = [f"{number}: {card_label(card)}." for number, card in enumerate(choice.owned, start=1)]
            left = [f"{number}: {card_label(card)}." for number, card in enumerate(choice.left, start=1)]
            return [
                "You may swap one of your upgrades. Yours:",
                *own,
                "Left in the garage:",
                *left,
                _short(choice),
            ]


def _gears_asked(choice: GearChoice) -> str:
    gears = listed([str(option.gear) for option in choice.options], "or")
    costs = [f"gear {option.gear} costs {option.heat} Heat" for option in choice.options if option.heat]
    withheld = [f"your hand cannot fill gear {gear}" for gear in choice.withheld]
    return sentence_of(f"Choose gear {'; '.join([gears, *costs, *withheld])}")


def _reactions_asked(observation: Observation, choice: ReactChoice, draft: Draft) -> list[str]:
    told = []
    for label, row in react_labels(choice).items():
        if row < len(choice.symbols):
            text = symbol_text(observation, choice, row, choice.symbols[row].most)
        else:
            use = choice.direct[row - len(choice.symbols)]
            text = direct_text(observation, use, max(use.speeds))
        told.append(f"{label}: {text}.")
    return ["Use what you want.", *told, _told(observation, draft, row=DONE)]


def _slipstreams_asked(observation: Observation, choice: SlipstreamChoice, draft: Draft) -> list[str]:
    """Tell what each slipstream leads to, the longest first."""
    longest_first = sorted(choice.spaces, reverse=True)
    return ["Slipstream?", *(f"{n or 'no'}: {_told(observation, draft, spaces=n)}" for n in longest_first)]


def _told(
    observation: Observation, draft: Draft, *, row: int | None = None, spaces: int | None = None
) -> str:
    """Tell the forecast of another choice than the draft's."""
    other = draft.copy()
    if row is not None:
        other.row, other.salvage = row, None
    if spaces is not None:
        other.spaces = spaces
    return forecast_text(observation, other)


def forecast_text(observation: Observation, draft: Draft) -> str:
    """Say in sentences what a draft leads to and costs."""
    return " ".join(sentence_of(line.text) for line in forecast_lines(observation, draft))


def _discards_asked(choice: DiscardChoice) -> list[str]:
    told = []
    if choice.most:
        told.append(f"Discard up to {counted(choice.most, 'card')}, or none.")
    if choice.refreshable:
        told.append(
            f"refresh and names puts cards back on top of the draw pile: {cards_text(choice.refreshable)}."
        )
    return told or ["You can discard nothing. Type none."]


_HELP: Final[dict[type[Choice], str]] = {
    GearChoice: "Type the number of a gear, or up, down or stay. Your gear is how many cards you play.",
    CardsChoice: "Type the names of the cards, such as 4 3 stress, or # and a card's position, such as #1. "
    "Heat cannot be played.",
    ValueChoice: "Type one of the speeds for each card that offers a choice, in the order shown.",
    ReactChoice: "Type the letter of what you want to use, with a number for how much, such as c 2. "
    "done uses nothing more.",
    UnpaidChoice: "Type the number of your choice.",
    SlipstreamChoice: "Type how many spaces to move, or no. A slipstream adds no speed in corners.",
    DiscardChoice: "Type the names of the cards to discard, or none. Heat and Stress stay.",
    PickChoice: "Type the number of a card, or its name.",
    SwapChoice: "Type the number of yours, then the number of the one you take; or keep.",
}


def help_text(choice: Choice) -> str:
    """Explain what may be typed as an answer."""
    return (
        f"{_HELP[type(choice)]} You then see the result, and Enter confirms it; before that, Enter does "
        "nothing. An answer that ends with ! is confirmed at once; cost and an answer only shows the cost."
    )
