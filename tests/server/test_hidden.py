"""Whole championships with everything that hides something: not a byte of it reaches who may not know it.

The searches are in `tests.server.hidden`. That the masks themselves tell nothing is a property of the engine
(`tests.core.properties_seen`), whose swaps are used here over the wire.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from heat_core.cards import SPONSORSHIP_CARDS, CardName
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.setup import COLOURS, CarSetup, Modules, make_setup, race_seed
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.wire.messages import (
    MOST_LEGAL,
    Act,
    AskLegal,
    AskRecord,
    AskView,
    Legal,
    Meanwhile,
    RoomOptions,
    Say,
    SeasonOptions,
    SeasonUpdate,
    Update,
)
from heat_server.room.actor import RoomActor
from heat_server.store.contract import Store
from heat_server.store.encoding import decode_events, decode_setup
from tests.core.properties_seen import swapped
from tests.core.support import track_facts
from tests.server.hidden import LEAST_CARDS, Sent, Truth, by_race, encoded, leaks_of_the_season, sent
from tests.server.support import House, Player, Policy, server_on
from tests.server.test_race import sampler

pytestmark = [pytest.mark.trio, pytest.mark.usefixtures("seed")]

EVERYTHING = RoomOptions(
    laps=1,
    cars=6,
    garage="mixed",
    expansion=True,
    weather=True,
    season=SeasonOptions(tracks=("usa", "italy", "france"), events=True, sponsorships=True),
)
SINGLE = replace(EVERYTHING, season=None)
CARDS: tuple[CardName, ...] = ("1", "2", "3", "4", "5", "heat", "stress")


async def grid(house: House, options: RoomOptions) -> tuple[list[Player], Player]:
    """Seat two people, two bots and two Legends in a room; the last player looks on."""
    players = await house.full_lobby(["ana", "ben"], options)
    for place, kind in [(2, "steady"), (3, "random"), (4, "legend:hard"), (5, "legend:easy")]:
        await players[0].bot(place, kind)
    watcher = await house.player()
    await watcher.watch(players[0].code, "wim")
    return players, watcher


async def moments(players: list[Player]) -> AsyncGenerator[int, None]:
    """Let players decide by turns until the race is over; yield the number of each decision."""
    policies = [sampler(number) for number, _ in enumerate(players)]
    count = 0
    while True:
        for player, policy in zip(players, policies, strict=True):
            await player.ping()
            if player.view.status == "ended":
                return
            act = player.next_act(policy)
            if act is None and count % 5 == 0:
                act = change_of_mind(player, policy)
            if act is not None:
                await player.answer(act)
                count += 1
                yield count


def change_of_mind(player: Player, policy: Policy) -> Act | None:
    own = player.view.own
    if own is None or own.chosen is None:
        return None
    command = policy(player.observation)
    return None if command is None else Act(player.id(), own.decision, command)


def room_in(house: House) -> RoomActor:
    (room,) = house.server.rooms.values()
    return room


def truths_of(store: Store, match: str) -> list[Truth]:
    """Read what has happened from the store, nothing hidden."""
    return [
        Truth(
            decode_setup(race.setup), [event for step in race.steps for event in decode_events(step.events)]
        )
        for race in store.races(match)
    ]


@pytest.mark.spec("NET-6")
async def test_no_byte_of_a_whole_championship_tells_what_is_hidden(
    store: Store, autojump_clock: MockClock, seed: str
) -> None:
    """Two people, two bots, two Legends, one who looks on; a restart within each race, chat, early wishes."""
    received: dict[int | None, list[Sent]] = {0: [], 1: [], None: []}
    players: list[Player] = []
    match = ""
    for number in range(3):
        for half in ("first", "second"):
            async with server_on(store) as house:
                if number == 0 and half == "first":
                    players, watcher = await grid(house, EVERYTHING)
                    match = room_in(house).match
                else:
                    players = [await house.back(player) for player in players]
                    watcher = await house.back(watcher)
                if half == "first":
                    await players[1].seat(ready=True)
                    await players[0].start()
                for player in (*players, watcher):
                    await player.look()
                async with aclosing(moments(players)) as decisions:
                    async for count in decisions:
                        await watcher.ping()
                        if count % 20 == 0:
                            await pester(players[count // 20 % 2], count)
                            await pester(watcher, count)
                        if half == "first" and count == 40:
                            break
                for seat, player in [(0, players[0]), (1, players[1]), (None, watcher)]:
                    await player.ping()
                    received[seat] += sent(player.raw)
    truths = truths_of(store, match)
    assert len({truth.setup.modules.event for truth in truths}) == 3
    seeds = [seed, *(race_seed(seed, number) for number in range(3))]
    for seat, messages in received.items():
        assert not list(leaks_of_the_season(messages, seat, truths, seeds))
        races = by_race(messages)
        for number, truth in enumerate(truths):
            assert not list(truth.leaks(seat, races[number]))
            assert len(races[number]) > 80
            assert truth.searched > 1_000
            truth.searched = 0
    last = [message for message, _ in received[None] if isinstance(message, SeasonUpdate)][-1]
    assert last.view.seed == seed, "it is told when all is over"


async def pester(player: Player, count: int) -> None:
    """Ask for everything that makes the server talk."""
    await player.answer(Say(player.id(), f"after {count}"))
    await player.look(0)
    for race in range(3):
        assert await player.refused(AskRecord(player.id(), race)) == "room/not_over"


async def test_the_search_finds_what_is_told_too_much(seed: str) -> None:
    modules = Modules("mixed", expansion=True, weather=True)
    cars = [CarSetup(name, colour) for name, colour in zip(("ana", "ben", "cy"), COLOURS, strict=False)]
    setup = make_setup(track_facts("usa"), cars, seed=seed, laps=1, modules=modules)
    table = Table(setup, dict.fromkeys(range(3), "random"))
    draft = table.log.copy()
    while not table.is_over and table.view(None).round < 2:
        table.step_bot()
    truth, number, own = Truth(setup, table.log), table.event_number, table.view(0).own
    assert own is not None
    assert len(own.draw_pile) >= LEAST_CARDS
    masked, seen = table.events_since(0, 0), table.view(0)
    before = len(draft)
    in_order = replace(seen, own=replace(own, draw_pile=tuple(table._race.seat(0).draw_pile)))
    early = replace(seen, event_number=before, offered=(), weather=table._race.weather)
    sound = Update(number, masked, seen, (), ())
    for what, wrong in {
        "events as they were": replace(sound, events=tuple(table.log)),
        "another's events": replace(sound, events=table.events_since(0, 1)),
        "another's view": replace(sound, view=table.view(1)),
        "the own pile as it lies": replace(sound, view=in_order),
        "the weather too early": replace(sound, number=before, events=masked[:before], view=early),
    }.items():
        assert list(truth.leaks(0, [Sent(wrong, encoded(wrong))])), what
    assert not list(truth.leaks(0, [Sent(sound, encoded(sound))]))
    told = Meanwhile((f"The seed is {seed}.",))
    assert list(leaks_of_the_season([Sent(told, encoded(told))], 0, [truth], [seed]))


async def test_the_search_finds_cards_that_turn_up_before_the_turn_of_their_car(seed: str) -> None:
    cars = [CarSetup(name, colour) for name, colour in zip(("ana", "ben", "cy"), COLOURS, strict=False)]
    setup = make_setup(track_facts("usa"), cars, seed=seed, laps=1)
    table = Table(setup, dict.fromkeys(range(3), "random"))
    while not (waiting := [seat for seat in (1, 2) if table._race.seat(seat).face_down]):
        table.step_bot()
    truth = Truth(setup, table.log)
    for onlooker in (0, None):
        masked, seen = table.events_since(0, onlooker), table.view(onlooker)
        sound = Update(table.event_number, masked, seen, (), ())
        assert not list(truth.leaks(onlooker, [Sent(sound, encoded(sound))]))
        for seat in waiting:
            early = e.CardsRevealed(seat, table._race.seat(seat).face_down)
            wrong = replace(sound, events=(*masked[:-1], early))
            assert list(truth.leaks(onlooker, [Sent(wrong, encoded(wrong))]))


@pytest.mark.parametrize("options", [EVERYTHING, SINGLE], ids=["season", "race"])
async def test_what_is_hidden_changes_no_byte(
    options: RoomOptions, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Other hands, piles, decks, choices and seeds are put into the table: everybody is sent the same."""
    house = House(nursery)
    players, watcher = await grid(house, options)
    await players[0].start()
    for player in (*players, watcher):
        await player.look()
    stream = Stream("swaps")
    swaps = 0
    async for count in moments(players):
        if count % 6 == 0:
            for seat, player in [(0, players[0]), (1, players[1]), (None, watcher)]:
                before = await all_that_is_told(player)
                with secrets_swapped(house, seat, stream):
                    after = await all_that_is_told(player)
                assert after == before, f"what {seat} is sent after decision {count}"
                swaps += 1
    assert swaps > 30


async def all_that_is_told(player: Player) -> bytes:
    """Ask for everything anew, and for the commands that answer it; give the bytes of both, to the last."""
    await player.ping()
    start = len(player.raw)
    await player.send(AskView(0, 0))
    await player.wait_for(Update)
    own = player.view.own
    legal = await player.answer(AskLegal(0, 0 if own is None or own.decision is None else own.decision))
    assert not isinstance(legal, Legal) or legal.count <= MOST_LEGAL, "of more, each answer draws others"
    return bytes(player.raw[start:])


@contextmanager
def secrets_swapped(house: House, onlooker: int | None, stream: Stream) -> Iterator[None]:
    """Put everything that an onlooker may not know into another order for a while."""
    state = room_in(house).state
    assert state.race is not None
    table = state.race.table
    race, log, setup, public = table._race, table.log, table.setup, table._public_view
    table._race = swapped(race, onlooker, stream, {})
    table.log = [altered(event, onlooker, stream) for event in log]
    table.setup = table._race.setup
    table._public_view = None
    assert table._race != race
    assert table.log != log
    season_setup = None
    if state.season is not None:
        season = state.season._season
        season_setup, season.setup = season.setup, replace(season.setup, seed="another")
    yield
    table._race, table.log, table.setup, table._public_view = race, log, setup, public
    if season_setup is not None and state.season is not None:
        state.season._season.setup = season_setup


def altered(event: e.Event, onlooker: int | None, stream: Stream) -> e.Event:
    """Change what an event hides from an onlooker, and nothing else."""
    match event:
        case e.PilesMade(draw_pile=cards) if cards:
            return replace(event, draw_pile=tuple(stream.sample(cards, len(cards))))
        case e.PileReshuffled(order=cards) | e.CardsSalvaged(order=cards) if cards:
            return replace(event, order=tuple(stream.sample(cards, len(cards))))
        case e.LegendCardsShuffled(order=numbers) if numbers:
            return replace(event, order=tuple(stream.sample(numbers, len(numbers))))
        case e.CardsDrawn(seat=seat, cards=cards) if cards and seat != onlooker:
            return replace(event, cards=tuple(stream.choose(CARDS) for _ in cards))
        case e.SponsorshipGained(seat=seat, card=card) if card and seat != onlooker:
            return replace(event, card=stream.choose(sorted(SPONSORSHIP_CARDS)))
        case e.ChoiceMade(seat=seat, command=command) if seat != onlooker:
            return replace(event, command=another(command, stream))
        case _:
            return event


def another(command: c.Command | None, stream: Stream) -> c.Command | None:
    """Give a secret command another content."""
    match command:
        case c.ShiftGear():
            return c.ShiftGear(stream.choose((1, 2, 3, 4)))
        case c.PlayCards():
            return c.PlayCards(tuple(stream.choose(CARDS) for _ in range(stream.choose((1, 2, 3, 4)))))
        case c.Discard():
            return c.Discard((stream.choose(CARDS),))
        case _:
            return command
