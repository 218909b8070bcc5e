"""What the host may do with people: kick, ban, lock the room; in every phase, over restarts (OPS-1)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.bot_names import bot_name
from heat_core.wire.messages import (
    PROTOCOL,
    Act,
    Create,
    Error,
    Hello,
    Join,
    Kick,
    LobbyView,
    Lock,
    Ok,
    Pause,
    Rematch,
    RoomOptions,
    SeasonOptions,
    Start,
    Update,
    Watch,
)
from heat_server.config import ServerConfig
from heat_server.room.state import MOST_BANNED
from heat_server.store.contract import Store
from tests.server.support import QUICK, UNHURRIED, House, HungUp, Player, server_on
from tests.server.test_spectators import race, room_of

pytestmark = pytest.mark.trio

SEASON = RoomOptions(laps=1, cars=3, season=SeasonOptions(None, ("usa", "italy", "gb")))
PHASES = pytest.mark.parametrize("phase", ["lobby", "racing", "between", "ended"])


async def up_to(house: House, phase: str) -> tuple[Player, Player, Player]:
    """Bring three people, the first the host, to a phase of a room."""
    ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"], SEASON if phase == "between" else QUICK)
    if phase != "lobby":
        await ana.start()
    if phase in ("between", "ended"):
        await race(ana, ben, cy)
    return ana, ben, cy


async def put_out(host: Player, name: str, *, is_banned: bool = False) -> None:
    await host.ok(Kick(host.id(), name, is_banned))


async def rejoin(player: Player, code: str, name: str, password: str | None = None) -> Ok | Error:
    got = await player.answer(Join(player.id(), code, name, None, password))
    assert isinstance(got, (Ok, Error))
    return got


@pytest.mark.parametrize("typed", ["BEN", "Ben"])
async def test_a_name_is_put_out_however_it_is_written(
    typed: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben, _ = await up_to(house, "lobby")
    await put_out(ana, typed)
    await ben.ping()
    assert [error.code for error in ben.unasked] == ["room/kicked"]


@PHASES
async def test_who_is_put_out_is_told_and_may_come_back(
    phase: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben, cy = await up_to(house, phase)
    await put_out(ana, "ben")
    await ben.ping()
    assert [error.code for error in ben.unasked] == ["room/kicked"]
    assert await ben.refused(Act(ben.id(), 1, None)) == "wire/bad_message"  # type: ignore[arg-type]
    assert await ben.refused(Start(ben.id())) == "room/in_none"
    await cy.wait_for(LobbyView, lambda state: not state.places[1].is_connected)
    await cy.ping()
    assert "The host has removed ben." in cy.news
    said = len(ben.said)
    await cy.say("gone?")
    await ben.ping()
    assert len(ben.said) == said, "who is out reads nothing any more"
    if phase == "racing":
        await race(ana, cy)  # the seat is driven for who is out
        assert len(ana.view.standings) == 3
    again = await rejoin(ben, ana.code, "ben")
    assert isinstance(again, Ok)
    assert again.place == 1
    await ana.wait_for(LobbyView, lambda state: state.places[1].is_connected)


@PHASES
async def test_who_is_banned_stays_out_by_the_token_in_every_way(
    phase: str, store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben, _ = await up_to(house, phase)
        await put_out(ana, "ben", is_banned=True)
        code = ana.code
        for message in (Join(77, code, "ben"), Watch(78, code, "ben"), Watch(79, code, "other")):
            assert await ben.refused(message) == "room/banned"
        await ben.hang_up()
    async with server_on(store) as house:
        ana = await house.back(ana)
        if phase == "lobby":  # without a place anywhere nobody is known any more
            hello = Hello(0, PROTOCOL, token=ben.token)
            assert await house.connect().refused(hello) == "hello/unknown_token"
            return
        again = await house.player(ben.token)
        assert again.room is None
        for message in (Join(7, code, "ben"), Watch(7, code, "ben")):
            assert await again.refused(message) == "room/banned"


async def test_a_banned_machine_stays_out_but_not_a_family(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await house.player(peer="192.0.2.1")
    code = await ana.create()
    troll = await house.player(peer="192.0.2.9")
    await troll.join(code, "troll")
    await put_out(ana, "troll", is_banned=True)
    for peer, code_of_answer in [("192.0.2.9", "room/banned"), ("192.0.2.8", None), ("", None)]:
        other = await house.player(peer=peer)
        for message in (Join(other.id(), code, f"x{peer[-1:]}"), Watch(other.id(), code, f"y{peer[-1:]}")):
            answer = await other.answer(message)
            assert (answer.code if isinstance(answer, Error) else None) == code_of_answer
            if isinstance(answer, Ok):
                await other.leave()
    sister = await house.player(peer="192.0.2.1")
    await sister.join(code, "sister")
    await put_out(ana, "sister", is_banned=True)
    brother = await house.player(peer="192.0.2.1")
    await brother.join(code, "brother")
    assert isinstance(await rejoin(sister, code, "sister"), Error)


async def test_the_name_that_is_banned_stays_out_of_a_machine_that_others_share(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await house.player(peer="192.0.2.1")
    code = await ana.create()
    ben = await house.player(peer="192.0.2.1")
    await ben.join(code, "Ben")
    await ben.hang_up()
    await put_out(ana, "Ben", is_banned=True)
    anew = await house.player(peer="192.0.2.1")
    for name in ("Ben", " b\u200ben"):
        assert await anew.refused(Join(anew.id(), code, name)) == "room/banned"
        assert await anew.refused(Watch(anew.id(), code, name)) == "room/banned"
    namesake = await house.player(peer="192.0.2.2")
    assert await namesake.join(code, "Ben") == 1
    assert await anew.join(code, "Cy") == 2


async def test_who_has_a_place_comes_back_from_a_machine_that_was_banned_since(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await house.player(peer="192.0.2.1")
    code = await ana.create()
    ben = await house.player(peer="192.0.2.2")
    await ben.join(code, "ben")
    troll = await house.player(peer="192.0.2.9")
    await troll.join(code, "troll")
    await ana.start()
    await ben.leave()
    await put_out(ana, "troll", is_banned=True)
    await ben.hang_up()
    again = await house.player(ben.token, peer="192.0.2.9")
    assert isinstance(await rejoin(again, code, "ben"), Ok)


@PHASES
async def test_spectators_are_put_out_and_banned(
    phase: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, _, cy = await up_to(house, phase)
    watcher = await house.player()
    await watcher.watch(ana.code, "wim")
    await put_out(ana, "wim")
    await watcher.ping()
    assert [error.code for error in watcher.unasked] == ["room/kicked"]
    await watcher.watch(ana.code, "wim")
    await put_out(ana, "wim", is_banned=True)
    assert await watcher.refused(Watch(watcher.id(), ana.code, "wim")) == "room/banned"
    await cy.ping()
    assert room_of(cy).watchers == ()


async def test_only_the_host_puts_out_and_only_who_is_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"])
    await ana.bot(3, "steady")
    watcher = await house.player()
    await watcher.watch(ana.code, "wim")
    for player in (ben, watcher):
        assert await player.refused(Kick(player.id(), "cy")) == "room/not_host"
        assert await player.refused(Lock(player.id(), "mine")) == "room/not_host"
    for name in ("ana", "nobody", bot_name("steady", 3, ana.code, ()), "", "\x1b"):
        assert await ana.refused(Kick(ana.id(), name)) == "room/no_such_person"
    await ana.leave()
    await cy.wait_for(LobbyView, lambda state: state.host == 1)
    await put_out(ben, "cy", is_banned=True)
    assert isinstance(await rejoin(ana, ben.code, "ana"), Ok)
    assert await ana.refused(Kick(ana.id(), "ben")) == "room/not_host"


async def test_putting_out_who_has_left_leaves_them_where_they_are_now(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben, _ = await up_to(house, "racing")
    await ben.leave()
    other = await ben.create("ben")
    await put_out(ana, "ben", is_banned=True)
    await ben.ping()
    assert ben.unasked == []
    await ben.configure(RoomOptions(laps=2))
    await ben.wait_for(LobbyView, lambda state: (state.code, state.laps) == (other, 2))
    await ben.leave()
    assert await ben.refused(Join(ben.id(), ana.code, "ben")) == "room/banned"


async def test_the_list_of_banned_people_is_bounded(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana = await house.player(peer="192.0.2.1")
    code = await ana.create()
    last = ana
    for number in range(MOST_BANNED + 5):
        last = await house.player(peer=f"198.51.100.{number}")
        await last.join(code, "troll")
        await put_out(ana, "troll", is_banned=True)
        assert await last.refused(Join(last.id(), code, "troll")) == "room/banned"
        if number < MOST_BANNED:
            await last.hang_up()
    (room,) = house.server.rooms.values()
    assert len(room.state.saved.banned) == len(room.state.saved.banned_addresses) == MOST_BANNED


async def test_who_is_out_is_put_out_once_however_often_the_host_says_so(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Else a host could flood the others with news, and their own list with one name."""
    house = House(nursery, UNHURRIED)
    ana, ben, cy, di = await house.full_lobby(["ana", "ben", "cy", "di"])
    await ana.start()
    await put_out(ana, "di", is_banned=True)
    for _ in range(MOST_BANNED + 5):
        await put_out(ana, "ben", is_banned=True)
    await cy.ping()
    assert cy.news.count("The host has removed ben.") == 1
    for banned, name in ((ben, "ben"), (di, "di")):
        answer = await rejoin(banned, ana.code, name)
        assert isinstance(answer, Error)
        assert answer.code == "room/banned"


async def test_a_password_is_set_changed_and_removed(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana = await house.player()
        got = await ana.ok(Create(ana.id(), "ana", None, QUICK, "caf\u00e9"))
        code = got.code or ""
        ben, wim = await house.player(), await house.player()
        (summary,) = (await ben.rooms()).rooms
        assert (summary.is_private, summary.has_place) == (True, True)
        for password in (None, "Caf\u00e9", "caf\u00e9 "):
            answer = await rejoin(ben, code, "ben", password)
            assert isinstance(answer, Error)
            assert answer.code == "room/wrong_password"
            assert await wim.refused(Watch(wim.id(), code, "wim", password)) == "room/wrong_password"
        assert isinstance(await rejoin(ben, code, "ben", "cafe\u0301"), Ok), "another keyboard, the same word"
        await wim.watch(code, "wim", "caf\u00e9")
        await ana.ok(Lock(ana.id(), "new"))
        state = await ben.wait_for(LobbyView)
        assert state.is_private
    async with server_on(store) as house:
        ana, ben = await house.back(ana), await house.back(ben)
        cy = await house.player()
        assert isinstance(await rejoin(cy, code, "cy", "caf\u00e9"), Error)
        assert isinstance(await rejoin(cy, code, "cy", "new"), Ok)
        await cy.leave()
        await ana.ok(Lock(ana.id(), None))
        assert isinstance(await rejoin(cy, code, "cy"), Ok)
        (summary,) = (await cy.rooms()).rooms
        assert not summary.is_private
    async with server_on(store) as house:
        dee = await house.player()
        assert isinstance(await rejoin(dee, code, "dee"), Ok)


async def test_a_race_of_a_locked_room_lets_its_drivers_back_without(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben, _ = await up_to(House(nursery), "racing")
    await ana.ok(Lock(ana.id(), "later"))
    await ben.leave()
    assert isinstance(await rejoin(ben, ana.code, "ben"), Ok)


async def test_guessing_passwords_ends_the_connection(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(most_errors=5))
    ana = await house.player()
    code = (await ana.ok(Create(ana.id(), "ana", None, QUICK, "secret"))).code or ""
    guesser = await house.player()
    for _ in range(10):
        await guesser.refused(Join(guesser.id(), code, "gus"))  # asking whether there is one is no guess
    for number in range(4):
        assert await guesser.refused(Join(guesser.id(), code, "gus", None, str(number))) == (
            "room/wrong_password"
        )
    await guesser.send(Join(guesser.id(), code, "gus", None, "4"))
    with pytest.raises(HungUp):
        await guesser.wait_for(LobbyView)
    assert guesser.bye is not None
    assert guesser.bye.code == "bye/too_many_errors"


@pytest.mark.spec("OPS-1")
async def test_one_host_kicks_bans_locks_and_places_bots_all_agree_to_pause_and_race_again_as_they_sat(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, UNHURRIED)
    ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"])
    for bot in ("random", None, "steady"):
        await ana.bot(3, bot)
        await ben.wait_for(LobbyView, lambda state: state.places[3].kind == bot)  # noqa: B023  # in this turn
    await ana.ok(Lock(ana.id(), "ours"))
    await put_out(ana, "cy")
    assert (await refusal(cy, ana.code, "cy")) == "room/wrong_password"
    assert isinstance(await rejoin(cy, ana.code, "cy", "ours"), Ok)
    await put_out(ana, "cy", is_banned=True)
    assert (await refusal(cy, ana.code, "cy", "ours")) == "room/banned"
    state = await ben.wait_for(LobbyView, lambda state: state.is_private and not state.places[2].kind)
    assert [place.kind for place in state.places[:4]] == ["human", "human", None, "steady"]
    await ana.start()
    await ben.wait_for(Update)
    for player, standstill in ((ana, None), (ben, "paused")):
        await player.ok(Pause(player.id(), True))
        assert (await ana.look()).standstill == standstill
    for player in (ana, ben):
        await player.ok(Pause(player.id(), False))
    await race(ana, ben)
    seats = [(place.name, place.colour, place.kind) for place in room_of(ana).places]
    await ana.ok(Rematch(ana.id()))
    state = await ben.wait_for(LobbyView, lambda state: state.phase == "lobby")
    assert [(place.name, place.colour, place.kind) for place in state.places] == seats
    assert [kind for _, _, kind in seats[:4]] == ["human", "human", None, "steady"]
    await ana.start()


async def refusal(player: Player, code: str, name: str, password: str | None = None) -> str:
    answer = await rejoin(player, code, name, password)
    assert isinstance(answer, Error)
    return answer.code
