"""Random play of python-chess."""

from __future__ import annotations

import random

import chess


def play(decisions: int) -> None:
    """List the legal moves and make one of them, again and again.

    A game ends where there is no move, or by the rule of 75 moves; other draws are not looked for.
    """
    chance = random.Random(1)
    made = 0
    while made < decisions:
        board = chess.Board()
        while made < decisions and not board.is_seventyfive_moves():
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            made += 1
