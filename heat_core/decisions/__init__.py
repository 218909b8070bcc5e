"""Open decisions as compact choices: what may be chosen, not a list of every command (CORE-13).

A choice is made from the race at the moment it is asked for, so that it can never be stale. Each kind of
choice has its struct in `choices` and a file with its functions side by side: make, verify, list commands,
sample, only answer. `kinds` has the table of them. What is verified, listed and sampled agrees; the property
tests hold them to it.
"""

from heat_core.decisions.choices import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.decisions.giving_up import may_give_up
from heat_core.decisions.kinds import (
    Choice,
    choice_of,
    enumerate_commands,
    kind_of,
    legal_commands,
    only_answer,
    only_command,
    sample_command,
    verify,
)

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
    "kind_of",
    "legal_commands",
    "may_give_up",
    "only_answer",
    "only_command",
    "sample_command",
    "verify",
]
