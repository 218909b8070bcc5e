"""Random play of catanatron: Settlers of Catan of four."""

from __future__ import annotations

from catanatron import Color, Game, RandomPlayer

_MOST_TURNS = 1_000
"""The library's own limit of a game."""


def play(decisions: int) -> None:
    """Let random players of the library take turns; after each action it lists the next legal ones."""
    made = games = 0
    while made < decisions:
        game = Game([RandomPlayer(colour) for colour in Color], seed=games)
        games += 1
        while made < decisions and game.winning_color() is None and game.state.num_turns < _MOST_TURNS:
            game.play_tick()
            made += 1
