"""A championship: races one after another, their points, and what cars take from one to the next (CHAMP-1).

Theory of operation. A season is an event log of its own, beside the logs of its races. `Season` begins, then
alternates between two moments. Between races `next_race` fixes event and grid, records them, and gives the
set-up of the race, which is played like any other, as a `Table`. When it is over, `finish_race` takes its
log, scores it and records what cars keep. After the last race, or an abandoned one, the season ends and shows
its seed. The state follows from the log alone, so set-up and log are all that is saved; a race that is under
way is saved beside them, by `Table.dump`. A season continues by the rules of its program, whatever
rules its races so far were raced by; `Table.load` refuses a race under way that began by others.

Race i is dealt from `race_seed(seed, i)`. While the season runs, no race shows its seed, for that would tell
the others'. The events that a season draws come from its own seed; a race's set-up tells what its event was
drawn from, so that the record of the race is enough to check it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from heat_core.cards import CardName
from heat_core.drivers import DriverName
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.dump import BadDump, format_of, require_rules_version, seal, unseal
from heat_core.race.rules_version import RULES_VERSION, is_of_older_rules
from heat_core.race.setup import Carried, RaceSetup, SeasonPlace, make_setup, race_seed
from heat_core.rng import seed_commitment
from heat_core.rules.points import CarResult, SeasonStanding, rank, season_grid
from heat_core.season import events as s
from heat_core.season.scoring import race_scored, score_fault
from heat_core.season.setup import SeasonSetup, draw_event, event_deck, season_setup_problems

SEASON_FORMAT: Final = 3
"""Of `Season.dump`; it goes up whenever what is dumped changes its form."""

_OLDER_FORMATS: Final = (2,)
"""2 did not say which rules a race was raced by."""

SeasonStatus: TypeAlias = Literal["between", "racing", "ended"]
"""Before a race, in a race, or over."""

_Cards: TypeAlias = tuple[CardName, ...]


class BegunRace(msgspec.Struct):
    """A race of a season from its beginning on.

    Attributes:
        event: Its event card.
        carried: What it began with.
        end: Why it ended, None while it runs.
        results: Best first; empty until then, and where it was abandoned.
        rules_version: Which rules it is raced by.
    """

    event: str | None
    carried: Carried
    end: e.EndReason | None = None
    results: tuple[CarResult, ...] = ()
    rules_version: int = RULES_VERSION


class SeasonState(msgspec.Struct):
    """The whole state of a season; it changes only by `apply`.

    Attributes:
        event_number: Number of the last event applied; 0 before the first.
        commitment: Hash of the seed.
        drivers: Who drives each seat.
        races: Those that have begun.
        upgrades: What each car keeps for the next race, by number; empty where none are kept.
        sponsorships: The same of Sponsorships.
        end: Why the season ended, None while it runs.
        seed: Told at the end.
    """

    event_number: int = 0
    commitment: str = ""
    drivers: dict[int, DriverName] = {}
    races: list[BegunRace] = []
    upgrades: tuple[_Cards, ...] = ()
    sponsorships: tuple[_Cards, ...] = ()
    end: s.SeasonEnd | None = None
    seed: str | None = None

    @property
    def status(self) -> SeasonStatus:
        """Tell where the season stands."""
        if self.end is not None:
            return "ended"
        return "racing" if self.races and self.races[-1].end is None else "between"

    def standings(self) -> tuple[SeasonStanding, ...]:
        """Rank the cars, best first; nobody before the first race is over."""
        return rank([race.results for race in self.races if race.results])


def apply(state: SeasonState, event: s.SeasonEvent) -> None:
    """Change a state by an event that happened in it."""
    state.event_number += 1
    match event:
        case s.SeasonBegan():
            state.commitment = event.seed_commitment
            state.drivers = {seat: driver for seat, driver in enumerate(event.drivers) if driver}
        case s.DriverChanged():
            state.drivers[event.seat] = event.driver
        case s.RaceBegan():
            carried = Carried(event.grid, state.upgrades, state.sponsorships)
            state.races.append(BegunRace(event.event, carried))
        case s.RaceScored():
            race = state.races[event.race]
            race.end = event.reason
            race.results = event.results
            race.rules_version = event.rules_version
            state.upgrades = event.upgrades
            state.sponsorships = tuple(cards or () for cards in event.sponsorships)
        case s.SeasonEnded():
            state.end = event.reason
            state.seed = event.seed


class _Dump(msgspec.Struct):
    setup: SeasonSetup
    log: list[s.SeasonEvent]


class Season:
    """A season being played: the one authority over what lies between its races.

    Attributes:
        setup: With the seed; clients get `public_season_setup` of it.
        log: Every event so far, unmasked; event number n is at place n - 1.
        state: What follows from them.
    """

    def __init__(self, setup: SeasonSetup, drivers: Mapping[int, DriverName]) -> None:
        """Begin a season.

        Args:
            setup: A complete set-up with its seed.
            drivers: One for each seat, by the seat's number.
        """
        if set(drivers) != set(setup.seats()):
            raise ValueError(f"drivers for seats {sorted(drivers)}, seats are {setup.seats()}")
        self.setup = setup
        self.log: list[s.SeasonEvent] = []
        self.state = SeasonState()
        by_car = tuple(drivers.get(car) for car in range(len(setup.cars)))
        self._record(s.SeasonBegan(seed_commitment(self._seed), by_car))

    def _record(self, event: s.SeasonEvent) -> s.SeasonEvent:
        apply(self.state, event)
        self.log.append(event)
        return event

    @property
    def _seed(self) -> str:
        if self.setup.seed is None:
            raise ValueError("a season without its seed can be looked at, not played on")
        return self.setup.seed

    @property
    def drivers(self) -> dict[int, DriverName]:
        """Who drives each seat."""
        return dict(self.state.drivers)

    @property
    def is_over(self) -> bool:
        """Tell whether the season has ended."""
        return self.state.end is not None

    def set_driver(self, seat: int, driver: DriverName) -> list[s.SeasonEvent]:
        """Hand a seat to a person or a bot; a table that plays a race is told by its own method.

        Returns:
            What happened; nothing where the seat has that driver already.

        Raises:
            KeyError: There is no such seat.
        """
        if self.state.drivers[seat] == driver:
            return []
        return [self._record(s.DriverChanged(seat, driver))]

    def next_race(self) -> RaceSetup:
        """Begin the next race: fix its event and grid.

        Returns:
            Its set-up, with the seed; `race_setup` gives the same again.

        Raises:
            ValueError: A race is under way, or the season is over.
        """
        self._require("between")
        number = len(self.state.races)
        event = self.setup.races[number].event
        if events := self._events_to_draw(number):
            event = draw_event(self._seed, number, events)
        standings = self.state.standings()
        grid = season_grid(self.setup.rules, standings) if standings else None
        self._record(s.RaceBegan(number, event, grid))
        return self.race_setup(number)

    def _events_to_draw(self, number: int) -> tuple[str, ...]:
        """Name the events that were left when a race began; none where it draws none."""
        if self.setup.races[number].event is not None or not self.setup.draws_events:
            return ()
        past = {race.event for race in self.state.races[:number]}
        return tuple(name for name in event_deck(self.setup) if name not in past)

    def race_setup(self, number: int) -> RaceSetup:
        """Give the set-up of a race that has begun, with its seed.

        Args:
            number: Which race, from 0.
        """
        race, plan = self.state.races[number], self.setup.races[number]
        setup = make_setup(
            plan.track,
            self.setup.cars,
            seed=race_seed(self._seed, number),
            laps=plan.laps,
            rules=self.setup.rules,
            modules=msgspec.structs.replace(self.setup.modules, event=race.event),
            carried=race.carried,
        )
        place = SeasonPlace(number, self.state.commitment, self._events_to_draw(number))
        return msgspec.structs.replace(setup, season=place, rules_version=race.rules_version)

    def record_setup(self, number: int) -> RaceSetup:
        """Give the set-up of a race for its record: with the seed only when the season is over.

        Until then neither it nor the race's unmasked events are for players: they reveal what is in decks.
        """
        setup = self.race_setup(number)
        return setup if self.is_over else msgspec.structs.replace(setup, seed=None)

    def finish_race(self, log: Sequence[e.Event], rules: int = RULES_VERSION) -> list[s.SeasonEvent]:
        """Score the race that is under way.

        Args:
            log: All its events, unmasked.
            rules: The version of the rules that it was raced by.

        Returns:
            What happened: its points, and with the last race, or an abandoned one, the season's end.

        Raises:
            ValueError: No race is under way, or this one is not over; nothing has changed.
        """
        self._require("racing")
        number = len(self.state.races) - 1
        race = fold(self.race_setup(number), log)
        if race.end is None:
            raise ValueError(f"race {number + 1} is not over: it is in round {race.round}")
        return self._score(race_scored(self.setup, number, race, rules))

    def _score(self, event: s.RaceScored) -> list[s.SeasonEvent]:
        """Record a race's end, and with the last race, or an abandoned one, the season's."""
        happened = [self._record(event)]
        is_abandoned = event.reason == "abandoned"
        if is_abandoned or event.race + 1 == len(self.setup.races):
            happened += self._end("abandoned" if is_abandoned else "finished")
        return happened

    def abandon(self) -> list[s.SeasonEvent]:
        """End a season that nobody will play on; a race under way is not scored.

        Returns:
            What happened; nothing where the season is over.
        """
        return [] if self.is_over else self._end("abandoned")

    def _end(self, reason: s.SeasonEnd) -> list[s.SeasonEvent]:
        return [self._record(s.SeasonEnded(reason, self._seed))]

    def _require(self, status: SeasonStatus) -> None:
        if self.state.status != status:
            raise ValueError(f"the season is {self.state.status}, not {status}")

    def events_since(self, number: int, seat: int | None) -> tuple[s.SeasonEvent, ...]:
        """List the events behind event `number` as a seat, or with None a spectator, may see them."""
        return tuple(s.view_season_event(event, seat) for event in self.log[number:])

    def dump(self) -> bytes:
        """Serialise the season with everything it needs to continue; a race under way is dumped beside it."""
        return seal(SEASON_FORMAT, _Dump(self.setup, self.log))

    @classmethod
    def load(cls, data: bytes) -> Season:
        """Bring a season back from `dump`: what it draws is drawn again, what races told must fit.

        Raises:
            BadDump: The bytes are no season, another version wrote them, or their events cannot happen.
        """
        dump = unseal(data, "season", SEASON_FORMAT, _DECODER, _OLDER_FORMATS)
        is_older = is_of_older_rules(dump.setup.rules_version)
        if format_of(data) != SEASON_FORMAT and not is_older:
            raise BadDump(
                "no season: it was changed since it was written"
            )  # no version wrote these two together
        if is_older:
            dump.setup = msgspec.structs.replace(dump.setup, rules_version=RULES_VERSION)
        require_rules_version(dump.setup.rules_version)
        if problems := season_setup_problems(dump.setup):
            raise BadDump(f"no season: {'; '.join(problems)}")
        match dump.log[:1]:
            case [s.SeasonBegan(drivers=drivers)]:
                pass
            case _:
                raise BadDump("no season: it does not begin")
        try:
            season = cls(dump.setup, {seat: driver for seat, driver in enumerate(drivers) if driver})
            while len(season.log) < len(dump.log):
                season._happen_again(dump.log[len(season.log)])
        except (LookupError, ValueError) as error:
            raise BadDump(f"no season: its events do not follow on one another: {error}") from None
        if season.log != dump.log:
            raise BadDump("no season: its events are not those that its seed draws")
        return season

    def _happen_again(self, event: s.SeasonEvent) -> None:
        """Apply an event of a log.

        Raises:
            LookupError: It names a car that does not drive.
            ValueError: It cannot happen now.
        """
        match event:
            case s.SeasonBegan():
                raise ValueError("it begins twice")
            case s.DriverChanged():
                if not self.set_driver(event.seat, event.driver):
                    raise ValueError(f"car {event.seat} has that driver already")
            case s.RaceBegan():
                self.next_race()
            case s.RaceScored():
                self._require("racing")
                if fault := self._fault_of(event):
                    raise ValueError(fault)
                self._score(event)
            case s.SeasonEnded():
                if not self.abandon():
                    raise ValueError("it has already ended")

    def _fault_of(self, event: s.RaceScored) -> str | None:
        number = len(self.state.races) - 1
        return score_fault(event, self.setup, number, self.race_setup(number).event_card)


_DECODER = msgspec.msgpack.Decoder(_Dump)
