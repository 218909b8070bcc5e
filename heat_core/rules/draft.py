"""Drafting upgrades before a race. docs/rules.md: Setting up (GARAGE-1, GARAGE-2).

Three times, as many upgrades as seats draft and three more are laid open; they are picked from the back of
the grid, then from the front, then from the back. In the form that adds up there is one round of picks, after
which the first to have picked may swap one of the own upgrades for one that was left.
"""

from __future__ import annotations

from typing import Final

from heat_core.cards import CardName
from heat_core.race import events as e
from heat_core.race.state import Race
from heat_core.rng import shuffled
from heat_core.rules.recorder import Recorder

_MORE_THAN_SEATS: Final = 3
_FROM_BACK: Final = {"three": (True, False, True), "one": (True,)}
"""For each round of picks of a draft, whether it starts at the back of the grid."""


def has_upgrades_to_deal(race: Race) -> bool:
    """Tell whether there is another round of picks."""
    modules = race.setup.modules
    return modules.garage != "none" and race.drafted < len(_FROM_BACK[modules.draft])


def deal_upgrades(recorder: Recorder) -> None:
    """Lay open what the next round of picks is made from; too few cards: as many as there are."""
    race = recorder.race
    order = _grid_order(race)
    if _FROM_BACK[race.setup.modules.draft][race.drafted]:
        order = order[::-1]
    dealt = shuffled(race.seed_key, race.draws, race.upgrade_deck)[: len(order) + _MORE_THAN_SEATS]
    recorder.record(e.UpgradesDealt(dealt, order[: len(dealt)]))


def _grid_order(race: Race) -> tuple[int, ...]:
    """List the seats that race by the numbers of their grid places: nobody has left them yet."""
    track = race.track
    places = [space * 2 + track.spot_on(space, side) for space, side in track.facts.grid]
    return tuple(sorted(race.racing_seats(), key=lambda seat: places.index(race.places[seat])))


def ask_for_pick(recorder: Recorder) -> None:
    """Ask the next seat for its pick."""
    recorder.record(e.DecisionsOpened("pick", recorder.race.picking[:1]))


def pick(recorder: Recorder, number: int, card: CardName) -> None:
    """Give an open upgrade to the seat that picked it."""
    recorder.record(e.UpgradePicked(number, card))


def close_garage(recorder: Recorder) -> None:
    """End the draft, after a swap where the form has one."""
    race = recorder.race
    first = race.first_picker
    may_swap = race.setup.modules.draft == "one" and bool(race.offered)
    if may_swap and first is not None and race.seat(first).status == "racing":
        recorder.record(e.DecisionsOpened("swap", (first,)))
    else:
        recorder.record(e.GarageClosed())


def swap(recorder: Recorder, number: int, give: CardName | None, take: CardName | None) -> None:
    """Exchange an owned upgrade for one that was left, or keep all; the draft is over then."""
    if give is not None and take is not None:
        recorder.record(e.UpgradeSwapped(number, give, take))
    recorder.record(e.GarageClosed())
