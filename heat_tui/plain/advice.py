"""Advice in lines: the sentence, then what the best choices are worth."""

from __future__ import annotations

from typing import Final

from heat_core.coach.advice import Advice
from heat_core.coach.choice_words import command_words
from heat_core.view.observation import Observation
from heat_tui.flow.race import RaceController
from heat_tui.flow.worths import worth_text
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import sentence_of

_MOST_WORTHS: Final = 6

NOTHING_TO_DECIDE: Final = "You have nothing to decide now."


async def tell_advice(race: RaceController, terminal: LineTerminal) -> None:
    """Think about the viewer's open decision and say the advice, once; it may be off for later ones."""
    asked, observation = race.open_decision, race.observation
    if refusal := race.advising.why_not():
        terminal.say(refusal)
        return
    if asked is None or observation is None:
        terminal.say(NOTHING_TO_DECIDE)
        return
    was_on = race.advising.is_on(asked[0])
    race.advising.turn(asked[0], is_on=True)
    await race.think()
    advice = race.advising.given(asked)
    terminal.say(f"Advice: {sentence_of(race.advising.text(asked))}")
    if advice is not None and len(advice.worths) > 1:
        terminal.say(worths_told(observation, advice))
    race.advising.turn(asked[0], is_on=was_on)


def turn_advice(race: RaceController, *, is_on: bool) -> str:
    """Keep the viewer's advice on for each later decision, or off; gives a sentence about that."""
    if race.viewer is None:
        return race.advising.why_not() or NOTHING_TO_DECIDE
    if refusal := race.advising.turn(race.viewer, is_on=is_on):
        return refusal
    if is_on:
        return "Advice is on: it is given before each question. advice off ends that."
    return "Advice is off; advice asks for it once, advice on keeps it on."


def worths_told(observation: Observation, advice: Advice) -> str:
    """Say what the best choices are worth: `In spaces against the best: 3rd gear: 0; 2nd gear: -1.7.`"""
    choice = observation.own.choice
    assert choice is not None
    told = [
        f"{command_words(worth.command, choice)}: {worth_text(worth.spaces)}"
        for worth in advice.worths[:_MOST_WORTHS]
    ]
    more = len(advice.worths) - _MOST_WORTHS
    rest = f"; {more} more are worth less" if more > 0 else ""
    return f"In spaces against the best: {'; '.join(told)}{rest}."
