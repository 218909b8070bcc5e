"""Random play of OpenSpiel, whose games are C++ behind Python bindings."""

from __future__ import annotations

import random

import pyspiel


def _play(name: str, decisions: int) -> None:
    """List the legal actions and apply one of them; what chance decides is drawn between, uncounted."""
    chance = random.Random(1)
    game = pyspiel.load_game(name)
    made = 0
    while made < decisions:
        state = game.new_initial_state()
        while made < decisions and not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                made += 1


def play_hearts(decisions: int) -> None:
    """Play a game of cards of four."""
    _play("hearts", decisions)


def play_backgammon(decisions: int) -> None:
    """Play a race of two with dice."""
    _play("backgammon", decisions)


def play_gin_rummy(decisions: int) -> None:
    """Play a game of two with a hand, a deck and a pile of discards."""
    _play("gin_rummy", decisions)
