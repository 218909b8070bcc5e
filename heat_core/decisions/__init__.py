"""Open decisions as compact choices: what may be chosen, not a list of every command (CORE-13).

A choice is made from the race at the moment it is asked for, so that it can never be stale. `verify` refuses
what it does not contain, `enumerate_commands` lists what it contains, `sample_command` picks from it. The
three agree; the property tests hold them to it.
"""

from heat_core.decisions.kinds import (
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
from heat_core.decisions.listing import enumerate_commands, only_command, sample_command
from heat_core.decisions.making import choice_of
from heat_core.decisions.verifying import may_give_up, verify

__all__ = [
    "CardsChoice",
    "Choice",
    "DiscardChoice",
    "GearChoice",
    "PickChoice",
    "ReactChoice",
    "SlipstreamChoice",
    "SwapChoice",
    "UnpaidChoice",
    "ValueChoice",
    "choice_of",
    "enumerate_commands",
    "may_give_up",
    "only_command",
    "sample_command",
    "verify",
]
