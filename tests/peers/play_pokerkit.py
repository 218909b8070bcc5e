"""Random play of pokerkit: no-limit Texas hold'em of six."""

from __future__ import annotations

import random

from pokerkit import Automation, NoLimitTexasHoldem

_AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
"""All that leaves nothing to decide."""

_SEATS = 6
_CHIPS = 200


def play(decisions: int) -> None:
    """Ask which actions are legal and take one of them, a raise by any amount that is."""
    chance = random.Random(1)
    random.seed(1)  # the library deals by the global one
    made = 0
    while made < decisions:
        state = NoLimitTexasHoldem.create_state(_AUTOMATIC, True, 0, (1, 2), 2, _CHIPS, _SEATS)
        while made < decisions and state.status:
            actions = [
                action
                for can, action in (
                    (state.can_fold(), state.fold),
                    (state.can_check_or_call(), state.check_or_call),
                    (state.can_complete_bet_or_raise_to(), state.complete_bet_or_raise_to),
                )
                if can
            ]
            action = chance.choice(actions)
            if action == state.complete_bet_or_raise_to:
                least = state.min_completion_betting_or_raising_to_amount
                action(chance.randint(least, state.max_completion_betting_or_raising_to_amount))
            else:
                action()
            made += 1
