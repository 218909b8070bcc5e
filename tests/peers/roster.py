"""Who plays: each engine with its random play, and what one decision is there."""

from __future__ import annotations

from typing import Final, NamedTuple


class Contestant(NamedTuple):
    """One way to play at random.

    Attributes:
        name: For people.
        module: Of this package, without its name.
        function: In the module; it takes how many decisions to make, and makes the same ones each time.
        decision: What is done in one.
        distribution: What is installed for it; None: this program.
    """

    name: str
    module: str
    function: str
    decision: str
    distribution: str | None = None


HEAT: Final = (
    Contestant("Heat, checked", "play_heat", "play_checked", "sample a choice, check, step"),
    Contestant("Heat, listed", "play_heat", "play_listed", "list legal commands, check, step"),
    Contestant("Heat, table", "play_heat", "play_table", "the same by a Table, with its log"),
    Contestant("Heat, roll-out", "play_heat", "play_rolled_out", "sample a choice, step"),
)
"""The first is what all others are compared with."""

PEERS: Final = (
    Contestant("chess", "play_chess", "play", "list legal moves, push", "chess"),
    Contestant("Texas hold'em of 6", "play_pokerkit", "play", "ask what is legal, check, act", "pokerkit"),
    Contestant("Catan of 4", "play_catanatron", "play", "choose, act, list next actions", "catanatron"),
    Contestant("hearts of 4", "play_open_spiel", "play_hearts", "list legal actions, apply", "open-spiel"),
    Contestant("backgammon", "play_open_spiel", "play_backgammon", "list legal actions, apply", "open-spiel"),
    Contestant("gin rummy", "play_open_spiel", "play_gin_rummy", "list legal actions, apply", "open-spiel"),
)
