"""The garage before a race: upgrades on offer, who picks, who owns what, and the own deck so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from heat_core.cards import UPGRADES, CardName, Cards, deck_card, starting_deck
from heat_core.decisions import SwapChoice
from heat_core.planner.upgrade_worths import UpgradeWorths, worths_in
from heat_core.race.setup import Colour, RaceSetup
from heat_core.rules.preparing import cards_of_garage, stress_and_heat
from heat_core.sentences.card_words import card_name, explain_card
from heat_core.text import counted, ordinal
from heat_core.view.race_view import RaceView
from heat_tui.race.draft import DONE, Draft
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import card_colour


class Owner(NamedTuple):
    """Who drafts, and what with.

    Attributes:
        when: `now`, `next` or "".
        upgrades: What it owns already.
    """

    name: str
    letter: str
    colour: Colour
    is_own: bool
    when: str
    upgrades: Cards


class DeckSoFar(NamedTuple):
    """A car's cards as the race would begin now.

    Attributes:
        is_own: Whether they are the viewer's; else those that every deck has.
        cards: How often each is in the deck, in hand order.
        heat: In the engine.
    """

    is_own: bool
    cards: tuple[tuple[CardName, int], ...]
    heat: int


class Swap(NamedTuple):
    """What may be swapped away.

    Attributes:
        give: Place of the upgrade to give in `owned`, None to keep all.
    """

    owned: Cards
    give: int | None


class Garage(NamedTuple):
    """What the garage shows.

    Attributes:
        selected: Place of the explained card in `offered`, or `DONE`.
        worths: What upgrades are worth in this race.
        owners: Those who are to pick, in order, then those who have.
        swap: None where upgrades are picked.
        circuit: What there is to know of it besides its shape.
    """

    title: str
    offered: Cards
    selected: int
    worths: UpgradeWorths
    owners: Sequence[Owner]
    deck: DeckSoFar
    swap: Swap | None
    circuit: tuple[str, ...]

    @property
    def most(self) -> float:
        """The spaces that the best upgrade of all brings in this race."""
        return max(self.worths.spaces(card) for card in UPGRADES)

    @property
    def explained(self) -> CardName | None:
        """The card that is explained, None for none."""
        return self.offered[self.selected] if 0 <= self.selected < len(self.offered) else None


def is_garage(view: RaceView) -> bool:
    """Tell whether upgrades are being drafted."""
    return view.status == "set_up" and bool(view.offered)


def garage_of(view: RaceView, labels: RaceLabels, draft: Draft | None, looked_at: int) -> Garage:
    """Give what the garage shows.

    Args:
        draft: The viewer's, None while others pick.
        looked_at: The row that is explained then.
    """
    choice = view.own.choice if view.own is not None else None
    swap = None
    if isinstance(choice, SwapChoice) and draft is not None:
        swap = Swap(choice.owned, None if draft.row == DONE else draft.give)
    return Garage(
        _title(view, labels, is_swap=swap is not None),
        view.offered,
        looked_at if draft is None else draft.row,
        worths_in(labels.setup),
        _owners(view, labels),
        _deck(view, labels),
        swap,
        _circuit(labels.setup),
    )


def explained_lines(cards: Sequence[CardName], worths: UpgradeWorths | None = None) -> list[Text]:
    """Explain cards, each kind once.

    Args:
        worths: What upgrades are worth, where they are on offer.
    """
    lines = []
    for card in {deck_card(card): card for card in cards}.values():
        name = Style(color=card_colour(deck_card(card)), bold=True)
        lines.append(Text(card_name(card), name))
        lines += [Text(f"  {sentence}") for sentence in explain_card(card)]
        if worths is not None:
            lines.append(Text(f"  {worth_sentence(card, worths)}"))
    return lines


def worth_sentence(card: CardName, worths: UpgradeWorths) -> str:
    """Say what an upgrade on offer is worth: `It gains about 8 spaces here.`"""
    return f"It {worths.gained(card)}."


def picker_text(view: RaceView, labels: RaceLabels) -> str:
    """Say who is asked in the garage now: `Ana picks`; "" for nobody."""
    for decision in view.decisions:
        if decision.kind in ("pick", "swap"):
            return f"{labels.names[decision.seat]} {'picks' if decision.kind == 'pick' else 'may swap'}"
    return ""


def _title(view: RaceView, labels: RaceLabels, *, is_swap: bool) -> str:
    if is_swap:
        return "Left: swap one for one of yours"
    if labels.setup.modules.draft == "three" and view.picking:
        number = len(view.cars[view.picking[0]].upgrades) + 1
        return f"On offer: {ordinal(number)} pick of 3"
    return "On offer"


def _circuit(setup: RaceSetup) -> tuple[str, ...]:
    facts = setup.track
    limits = " ".join(str(corner.limit) for corner in facts.corners)
    return f"{counted(setup.laps, 'lap')} of {facts.spaces} spaces", f"corner limits {limits}"


def _owners(view: RaceView, labels: RaceLabels) -> list[Owner]:
    seats = [number for number, car in enumerate(view.cars) if not car.is_legend]
    order = [*view.picking, *(seat for seat in seats if seat not in view.picking)]
    asked = {decision.seat for decision in view.decisions}
    owners = []
    for place, seat in enumerate(order):
        is_own = view.own is not None and view.own.seat == seat
        when = "now" if seat in asked else "next" if place == 1 and seat in view.picking else ""
        name = f"{labels.names[seat]} (you)" if is_own else labels.names[seat]
        colour = labels.setup.cars[seat].colour
        owners.append(Owner(name, labels.letters[seat], colour, is_own, when, view.cars[seat].upgrades))
    return owners


def _deck(view: RaceView, labels: RaceLabels) -> DeckSoFar:
    """Count the cards; weather is drawn after the draft, and may still add Stress or take Heat."""
    own = view.own
    upgrades = () if own is None else view.cars[own.seat].upgrades
    stress, heat = stress_and_heat(labels.setup, view.weather)
    deck = starting_deck(stress, cards_of_garage(labels.setup, upgrades))
    return DeckSoFar(own is not None, tuple(Counter(deck).items()), heat)
