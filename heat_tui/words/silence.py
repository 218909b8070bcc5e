"""A decision whose time runs out: before, what silence will do; afterwards, what was chosen."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.decisions import ReactChoice
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.sentences.card_words import card_name, cards_text
from heat_core.sentences.events import gear_name
from heat_core.text import counted
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation


class _Done(NamedTuple):
    """What is done with something: `2nd gear` is `kept`."""

    what: str
    how: str
    are_many: bool = False


def silence_text(observation: Observation) -> str:
    """Say what the server does if nothing is chosen: `1st gear is kept`."""
    what, how, are_many = _done(observation, default_command(observation))
    return f"{what} {'are' if are_many else 'is'} {how}"


def time_was_up(event: e.Event, observation: Observation | None) -> str:
    """Say to its driver what the clock has chosen for them; "" for any other event.

    Args:
        observation: The driver's, as it was before; None: nobody's hand is open.
    """
    if not isinstance(event, e.ChoiceMade) or not event.by_clock or observation is None:
        return ""
    if event.command is None or event.seat != observation.seat:
        return ""
    what, how, are_many = _done(observation, event.command)
    return f"Time was up: {what} {'were' if are_many else 'was'} {how} for you"


def _done(observation: Observation, command: c.Command) -> _Done:
    match command:
        case c.ShiftGear():
            is_kept = command.gear == observation.own_car.gear
            return _Done(f"{gear_name(command.gear)} gear", "kept" if is_kept else "chosen")
        case c.PlayCards() if command.cards:
            return _Done(cards_text(command.cards), "played", len(command.cards) > 1)
        case c.PlayCards():
            return _Done("no card", "played")
        case c.ChooseValue():
            return _Done(f"a speed of {' and '.join(str(value) for value in command.values)}", "chosen")
        case c.UseSymbol():
            return _used(observation, command)
        case c.EndReact():
            return _Done("nothing more", "used")
        case c.DropUnpaid():
            return _Done(cards_text(command.cards), "dropped", len(command.cards) > 1)
        case c.Slipstream() if command.spaces:
            return _Done(f"a slipstream of {counted(command.spaces, 'space')}", "taken")
        case c.Slipstream():
            return _Done("no slipstream", "taken")
        case c.Discard():
            return _Done(cards_text(command.cards) or "nothing", "discarded", len(command.cards) > 1)
        case c.PickUpgrade():
            return _Done(card_name(command.card), "picked")
        case _:
            return _Done("no upgrade", "swapped")


def _used(observation: Observation, command: c.UseSymbol) -> _Done:
    """Say what a symbol does that is used without being asked for."""
    choice = observation.choice
    if isinstance(choice, ReactChoice) and command.number < len(choice.symbols):
        match choice.symbols[command.number].symbol.kind:
            case "cooldown":
                return _Done(f"{command.amount} Heat", "cooled")
            case "heat":
                return _Done(f"{command.amount} Heat", "paid")
            case "scrap":
                return _Done(counted(command.amount, "card"), "scrapped", command.amount > 1)
    return _Done("a symbol", "used")
