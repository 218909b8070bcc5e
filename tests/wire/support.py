"""One sample or more of every message."""

from __future__ import annotations

from functools import cache

from heat_core.bots import BOTS
from heat_core.files import load_track
from heat_core.race import commands as c
from heat_core.race.presets import RULEBOOK
from heat_core.race.setup import CarSetup, LegendSetup, Modules, make_setup
from heat_core.rng import Stream
from heat_core.season.setup import make_season, plan_year, public_season_setup
from heat_core.season.state import Season
from heat_core.season.view import view_season
from heat_core.simulation import play_season
from heat_core.table import Table
from heat_core.view.secrecy import public_setup
from heat_core.wire import messages as m

CLIENT_SAMPLES: tuple[m.ClientMessage, ...] = (
    m.Hello(0, m.PROTOCOL, "heat-tui", "0.1.0", None),
    m.Hello(1, m.PROTOCOL, "", "", "t" * 43),
    m.Create(2, "ana"),
    m.Create(
        2,
        "Zoë",
        "purple",
        m.RoomOptions(
            track="italy",
            laps=3,
            cars=8,
            legends=7,
            level="hard",
            rules="rulebook",
            settings={"hand_size": "6"},
            turn_milliseconds=200,
            grace_milliseconds=90,
            away_driver="steady",
            advice=True,
            garage="mixed",
            expansion=True,
            weather=True,
        ),
        "open sesame",
    ),
    m.Create(2, "ana", None, m.RoomOptions(season=m.SeasonOptions(1961, sponsorships=True))),
    m.Configure(6, m.RoomOptions(season=m.SeasonOptions(None, ("usa", "gb", "usa", "italy"), True))),
    m.ListRooms(m.MOST_NUMBER),
    m.ListTracks(3),
    m.AskTrack(3, "oval"),
    m.AskCatalogue(3),
    m.Join(4, "FHK34", "ben", None),
    m.Join(4, "FHK34", "ben", "red", "open sesame"),
    m.Watch(4, "FHK34", "zoe"),
    m.Watch(4, "FHK34", "zoe", "open sesame"),
    m.TakeSeat(5, None, None, True),
    m.TakeSeat(5, "本田", "grey", None),
    m.Configure(6, m.RoomOptions()),
    m.PlaceBot(7, 7, "legend:easy"),
    m.PlaceBot(7, 0, None),
    m.Start(8),
    m.Act(9, 17, c.ShiftGear(3)),
    m.Act(9, 18, c.PlayCards(("1", "stress", "start-5"))),
    m.Act(9, 19, c.UseSymbol(2, 1)),
    m.Act(9, 20, c.EndReact()),
    m.Act(9, 21, c.Slipstream(2)),
    m.Act(9, 22, c.Discard(())),
    m.Act(9, None, c.GiveUp()),
    m.AskLegal(10, 17),
    m.AskLegal(10, 17, 1),
    m.AskView(10, 12),
    m.AskView(10, None),
    m.AskView(10, 12, 3),
    m.Say(10, "Well driven!"),
    m.React(10, "ouch"),
    m.Pause(10, True),
    m.Kick(10, "ben"),
    m.Kick(10, "ben", True),
    m.GiveTime(10, 1, 60_000),
    m.GiveTime(10, 7, 0),
    m.Lock(10, "open sesame"),
    m.Lock(10, None),
    m.Rematch(10),
    m.AskRecord(10),
    m.AskRecord(10, 3, 3000),
    m.Leave(11),
    m.Ping(12),
)


@cache
def server_samples() -> tuple[m.ServerMessage, ...]:
    options = m.RoomOptions()
    place = m.PlaceState("human", "ana", "red", True, False)
    samples: list[m.ServerMessage] = [
        m.Welcome(0, m.PROTOCOL, "heat-server", "0.1.0", "t" * 43),
        m.Ok(1),
        m.Ok(2, "FHK34", 0),
        m.Error(3, "room/full", "All places of this room are taken."),
        m.Error(None, "room/closed", "The race has ended."),
        m.RoomList(4, ()),
        m.RoomList(4, (m.RoomSummary("FHK34", "lobby", "usa", 2, 6, 1, True, "ana", True),)),
        m.TrackList(4, (m.TrackSummary("usa", "USA"),)),
        m.TrackDetails(4, load_track("japan")),
        m.catalogue(4),
        m.Legal(5, 17, (c.ShiftGear(1), c.ShiftGear(2)), 3),
        m.LobbyView(
            "FHK34", "lobby", 0, 0, options, 2, 60_000, (place, m.PlaceState()), "heat-tui connect HOST FHK34"
        ),
        m.LobbyView(
            "FHK34",
            "racing",
            None,
            0,
            options,
            2,
            60_000,
            (place, m.PlaceState()),
            "heat-tui connect HOST FHK34",
            ("zoe",),
            True,
            True,
        ),
        m.Meanwhile(("3 rounds went by: it is round 7 now.", "Ben leads.")),
        m.Waiting("The server cannot reach its database."),
        m.Waiting(None),
        m.Said(1, "chat", 0, "ana", "Well driven!"),
        m.Said(2, "reaction", None, "zoe", "ouch"),
        m.Said(3, "news", None, "", "ben has joined."),
        m.Pong(5),
        m.Bye("bye/server_stops", "The server is being stopped."),
    ]
    return (*samples, *season_samples(), *race_samples())


def season_samples() -> list[m.ServerMessage]:
    """Tell a championship before each of its races and at its end, to a seat and to a spectator."""
    cars = [CarSetup("ana", "red"), CarSetup("ben", "blue")]
    setup = make_season(
        plan_year(1961, load_track, 1),
        cars,
        seed="wire",
        rules=RULEBOOK,
        modules=Modules("basic", sponsorships=True),
    )
    season = Season(setup, {0: "steady", 1: "steady"})
    told: list[m.ServerMessage] = []
    for _ in play_season(season):
        views = [view_season(season, seat) for seat in (0, None)]
        told += [m.SeasonUpdate(public_season_setup(setup), view, (0, 1)) for view in views]
    return told


def race_samples() -> list[m.ServerMessage]:
    """Make the messages of a whole race, seen from a seat and from nowhere: all events and choices occur."""
    cars = [
        CarSetup("ana", "red"),
        CarSetup("ben", "blue"),
        CarSetup("Legend 1", "green", LegendSetup(2)),
    ]
    setup = make_setup(load_track("usa"), cars, seed="wire", laps=1)
    table = Table(setup, {0: "human", 1: "random"})
    samples: list[m.ServerMessage] = [
        m.Started(0, public_setup(setup), (0, 1, None)),
        m.Started(None, public_setup(setup), (0, 1, None)),
        m.Record(6, setup, 1, tuple(table.log), table.event_number),
    ]
    sent = 0
    stream = Stream("wire")
    while True:
        decisions = tuple(
            m.OpenDecision(d.seat, d.kind, d.has_chosen, None if d.has_chosen else 60_000)
            for d in table.decisions()
        )
        number = table.event_number
        samples.append(
            m.Update(
                number,
                table.events_since(sent, 0),
                table.view(0),
                decisions,
                (1,),
                None if decisions else "nobody",
            )
        )
        sent = number
        if table.is_over:
            break
        if table.bot_due():
            table.step_bot()
            continue
        decision = table.view(0).own
        assert decision is not None
        table.submit(0, decision.decision, BOTS["random"](table.observation(0), stream))
    samples.append(m.Update(number, table.events_since(0, None)[-1000:], table.view(None), (), ()))
    return samples
