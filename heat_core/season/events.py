"""Events of a season besides its races, and what each seat may see of them.

As in a race, an event says all that is needed to apply it, so that a log folds without the seed.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from heat_core.cards import CardName
from heat_core.drivers import DriverName
from heat_core.race.events import EndReason
from heat_core.rules.points import CarResult

SeasonEnd: TypeAlias = Literal["finished", "abandoned"]

_Cards: TypeAlias = tuple[CardName, ...]


class SeasonHappened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True, tag_field="type"):
    """Base of all events of a season."""


class SeasonBegan(SeasonHappened, frozen=True):
    """The season begins.

    Attributes:
        seed_commitment: Hash of the seed that all races share; the seed is shown at the season's end.
        drivers: Who drives each car, by number; None for a Legend.
    """

    seed_commitment: str
    drivers: tuple[DriverName | None, ...]


class DriverChanged(SeasonHappened, frozen=True):
    """A person or a bot takes a seat over."""

    seat: int
    driver: DriverName


class RaceBegan(SeasonHappened, frozen=True):
    """The next race begins.

    Attributes:
        race: Its number, from 0.
        event: Its event card.
        grid: Cars, pole first; None: by lot, which the race draws.
    """

    race: int
    event: str | None
    grid: tuple[int, ...] | None


class RaceScored(SeasonHappened, frozen=True):
    """A race is over and scored.

    Attributes:
        race: Its number, from 0.
        reason: Why it ended.
        results: Best first; empty where it was abandoned, which scores nothing.
        upgrades: What each car keeps, by number; empty where none are kept.
        sponsorships: What each car keeps in its deck, by number; None for what others may not see; empty
            where none are kept.
        sponsorship_counts: How many those are.
        rules_version: Which rules it was raced by; 1 where no season told it yet.
    """

    race: int
    reason: EndReason
    results: tuple[CarResult, ...]
    upgrades: tuple[_Cards, ...]
    sponsorships: tuple[_Cards | None, ...]
    sponsorship_counts: tuple[int, ...]
    rules_version: int = 1


class SeasonEnded(SeasonHappened, frozen=True):
    """The season is over.

    Attributes:
        seed: What all its shuffles came from, shown to all now.
    """

    reason: SeasonEnd
    seed: str | None


SeasonEvent: TypeAlias = SeasonBegan | DriverChanged | RaceBegan | RaceScored | SeasonEnded


def view_season_event(event: SeasonEvent, seat: int | None) -> SeasonEvent:
    """Mask an event for a seat, or with None for a spectator: the same event, hidden fields None."""
    if isinstance(event, RaceScored):
        seen = tuple(cards if car == seat else None for car, cards in enumerate(event.sponsorships))
        return msgspec.structs.replace(event, sponsorships=seen)
    return event
