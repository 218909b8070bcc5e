"""Choices in words, each by itself."""

from __future__ import annotations

from heat_core.decisions import Choice, ReactChoice
from heat_core.race import commands as c
from heat_core.sentences.card_words import card_label, cards_text, source_name, symbol_word
from heat_core.sentences.events import choice_text


def command_words(command: c.Command, choice: Choice) -> str:
    """Say what a command does, as in "... would have been better": `3rd gear`, `play 4, 2`, `boost`.

    Args:
        choice: What the command answers.
    """
    match command:
        case c.PlayCards():
            return f"play {cards_text(command.cards)}"
        case c.UseSymbol():
            assert isinstance(choice, ReactChoice)
            return _reaction_words(command, choice)
        case c.DropUnpaid():
            return f"drop {cards_text(command.cards)}"
        case c.Discard():
            refreshed = f", refresh {cards_text(command.refresh)}" if command.refresh else ""
            return f"discard {cards_text(command.cards)}{refreshed}"
        case c.PickUpgrade():
            return f"pick {card_label(command.card)}"
        case c.SwapUpgrade() if command.give is not None and command.take is not None:
            return f"swap {card_label(command.give)} for {card_label(command.take)}"
        case _:
            return choice_text(command)


def _reaction_words(command: c.UseSymbol, choice: ReactChoice) -> str:
    if command.number >= len(choice.symbols):
        return f"play {cards_text(command.cards)} directly"
    symbol = choice.symbols[command.number].symbol
    words = symbol_word(symbol.kind, command.amount if symbol.kind != "adjust" else symbol.number)
    return words if symbol.source == "gear" else f"{words} ({source_name(symbol)})"
