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
from heat_core.text import counted, listed
from heat_core.view.observation import Observation
from heat_tui.plain.answers import example_of
from heat_tui.plain.facts import facts_told
from heat_tui.plain.reactions import usable_names
from heat_tui.plain.turn_questions import reactions_asked, slipstreams_asked
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import sentence_of
from heat_tui.race.draft import Draft

_CONFIRM: Final = "Enter confirms; or type another answer, or help for an explanation"
_CONFIRM_KNOWN: Final = "Enter confirms"


def question(observation: Observation, draft: Draft, voice: Voice) -> str:
    """Ask the open decision: first what one must know, then what may be typed, with an example."""
    choice = observation.own.choice
    assert choice is not None
    parts = [*facts_told(observation, voice), *_asked(observation, choice, draft, voice)]
    return " ".join(filter(None, parts)) + voice.example(type(choice).__name__, example_of(observation))


def short_question(observation: Observation, voice: Voice) -> str:
    """Ask once more, without what was shown the first time."""
    choice = observation.own.choice
    return _short(choice, voice) + voice.example(type(choice).__name__, example_of(observation))


def confirm(voice: Voice) -> str:
    """Ask to confirm the answer that was given and told."""
    return _CONFIRM if voice.says("usual") and not voice.knows(_CONFIRM) else _CONFIRM_KNOWN


def _short(choice: Choice | None, voice: Voice) -> str:
    match choice:
        case GearChoice():
            return _gears_asked(choice) if voice.says("usual") else _gears_asked_in_few_words(choice)
        case CardsChoice():
            return _cards_asked(choice)
        case ValueChoice():
            return _values_asked(choice)
        case ReactChoice():
            return f"Type {listed([*usable_names(choice), 'done'], 'or')}."
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


def _asked(observation: Observation, choice: Choice, draft: Draft, voice: Voice) -> list[str]:
    match choice:
        case GearChoice():
            return [_short(choice, voice)]
        case CardsChoice():
            return [_cards_asked(choice)]
        case ValueChoice():
            told = [
                f"{card_label(card)} can be {listed([str(speed) for speed in sorted(speeds)], 'or')}."
                for card, speeds in zip(choice.cards, choice.speeds, strict=True)
            ]
            return [*told, _values_asked(choice)]
        case ReactChoice():
            return reactions_asked(observation, choice, voice)
        case UnpaidChoice():
            ways = [f"{number}: drop {cards_text(way)}." for number, way in enumerate(choice.ways, start=1)]
            return [
                "You cannot pay these cards' Heat. Choose which to drop; each is replaced by a flip.",
                *ways,
            ]
        case SlipstreamChoice():
            return slipstreams_asked(observation, choice, draft, voice)
        case DiscardChoice():
            if choice.most and not choice.refreshable and not voice.says("usual"):
                return [f"Discard up to {choice.most}?"]
            return _discards_asked(choice)
        case PickChoice():
            cards = [f"{number}: {card_label(card)}." for number, card in enumerate(choice.offered, start=1)]
            return ["On offer in the garage:", *cards, _short(choice, voice)]
        case SwapChoice():
            own = [f"{number}: {card_label(card)}." for number, card in enumerate(choice.owned, start=1)]
            left = [f"{number}: {card_label(card)}." for number, card in enumerate(choice.left, start=1)]
            return [
                "You may swap one of your upgrades. Yours:",
                *own,
                "Left in the garage:",
                *left,
                _short(choice, voice),
            ]


def _gears_asked(choice: GearChoice) -> str:
    gears = listed([str(option.gear) for option in choice.options], "or")
    costs = [f"gear {option.gear} costs {option.heat} Heat" for option in choice.options if option.heat]
    withheld = [f"your hand cannot fill gear {gear}" for gear in choice.withheld]
    return sentence_of(f"Choose gear {'; '.join([gears, *costs, *withheld])}")


def _gears_asked_in_few_words(choice: GearChoice) -> str:
    free = [str(option.gear) for option in choice.options if not option.heat]
    costly = [f"{option.gear} for {option.heat} Heat" for option in choice.options if option.heat]
    return f"Gear {'; '.join(filter(None, [listed(free, 'or'), *costly]))}?"


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
    ReactChoice: "Type what you want to use, with a number for how much, such as cool 2; its first letters "
    "will do. Several go with commas, such as cool 1, boost. done uses nothing more.",
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
