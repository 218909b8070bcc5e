"""What follows from the simulation, in words with its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heat_server.config import ServerConfig
from heat_server.store.postgres.leases import LEASE_SECONDS
from tests.markdown import paragraph
from tests.scale.simulation import scenarios as s
from tests.scale.simulation.parameters import FAIR_SHARES, FIRST_TAKES_ALL, UNMENDED, Costs, People
from tests.scale.simulation.study import SERVERS, Result, Steady, Study


def what_limits(study: Study) -> Iterable[str]:
    """Say what is used up first, and how much is left."""
    costs, people = Costs(), People()
    here = next(one for one in study.steady if _is(one, SERVERS, people.rooms, FAIR_SHARES.name))
    before = next(one for one in study.steady if _is(one, SERVERS, people.rooms, UNMENDED.name))
    full = costs.cores / (costs.commit + costs.step)
    one_dies = _of(study, s.ONE_DIES, UNMENDED.name)[0]
    first, fair = (_of(study, s.TEN_DIE, plan.name) for plan in (FIRST_TAKES_ALL, FAIR_SHARES))
    killed = _of(study, s.ONE_DIES, FAIR_SHARES.name)[0]
    asked = killed.statements["owner"] / killed.people.number
    yield "\n".join(
        [
            paragraph(
                "- **The database's processors limit first.** At this size they are busy",
                f"{100 * here.database:.0f} % of the time, nearly all of it for commits; a server needs",
                f"{100 * here.processor:.0f} % of a core. {costs.cores} cores do {full:,.0f} commits a",
                "second with one command each. Beyond that answers become slower, commits hold more",
                "commands, and each command costs less.",
            ),
            paragraph(
                f"- **Renewals are cheap.** A fleet's rounds take {here.rounds:,.0f} statements a",
                "second. Looking at all open rooms, as the first leases did, kept the database busy for",
                f"{100 * before.database:.0f} % of the time, with answers after {before.answer:.1f} s.",
                f"One killed server then ended in a collapse: {one_dies.missing:,} of",
                f"{people.rooms * people.racing * people.drivers:,.0f} people were away at the end,",
                "because clients that get no answer for ten seconds connect again, which costs more",
                "than the answer.",
            ),
            paragraph(
                "- **The rush is as large as what one server takes over.** When ten servers are",
                "killed and the first takes all, answers there take up to",
                f"{max(one.answer for one in first):.1f} s,",
                f"and the last person is back after {max(one.people.last for one in first):.0f} s. With",
                f"fair shares these are {max(one.answer for one in fair):.1f} s and",
                f"{max(one.people.last for one in fair):.0f} s.",
            ),
            paragraph(
                "- **Most of a recovery is waiting for the lease to run out.** When a server is killed,",
                f"its lease runs for another four to six seconds. Until then each client asks {asked:.0f}",
                "times in vain, and each time a server looks the room up. Most connections are these.",
            ),
        ]
    )


def what_to_set(study: Study) -> Iterable[str]:
    """Say what operators should do."""
    people, usual = People(), ServerConfig()
    each = people.rooms * people.racing / SERVERS
    lost = 10
    more = SERVERS / (SERVERS - lost)
    drained, stopped = (_of(study, one, FAIR_SHARES.name) for one in (s.DRAINED, s.ALL_RESTART))
    rolling = _of(study, s.ROLLING, FAIR_SHARES.name)
    slow = _of(study, s.SLOW, FAIR_SHARES.name)
    busiest = max(one.size.rooms for one in study.steady)
    yield "\n".join(
        [
            paragraph(
                "- Set `--connections` and `--rooms` so that the servers that are left can take everybody.",
                "Here each server has",
                f"{each:,.0f} rooms that race and {each * people.drivers:,.0f} people, as many as a",
                f"server allows by default ({usual.most_rooms} and {usual.most_connections:,}). If",
                f"{lost} of {SERVERS} are lost, each of the others needs {each * more:,.0f} and",
                f"{each * people.drivers * more:,.0f}, and more for a while.",
            ),
            paragraph(
                f"- The lease of {LEASE_SECONDS:g} seconds cannot be set.",
                _late("10 times as long", slow),
                "A shorter lease would bring people of a killed server back sooner, and would be lost",
                "sooner when the database is slow.",
            ),
            paragraph(
                "- Restart servers one after another, each as soon as the last is back. If all are",
                f"restarted so, people are away for {stopped[0].people.median:.1f} s each time (median;",
                f"99 of 100: {stopped[0].people.slow:.1f} s, the last: {stopped[0].people.last:.1f} s),",
                f"with a restart a minute for {rolling[0].people.median:.1f} s, after",
                "`heat-server drain --now` for",
                f"{drained[0].people.median:.1f} s (99 of 100: {drained[0].people.slow:.1f} s).",
            ),
            paragraph(
                "- Run few servers that are busy rather than many that are not. A busy server puts the",
                f"commands of several rooms into one commit: with {busiest:,} rooms, 10 servers keep the",
                f"database's cores busy for {_work(study, 10, busiest)} of the time, {SERVERS} servers for",
                f"{_work(study, SERVERS, busiest)}. Run more servers only so that some can be lost.",
            ),
        ]
    )


def _work(study: Study, servers: int, rooms: int) -> str:
    here = next(one for one in study.steady if _is(one, servers, rooms, FAIR_SHARES.name))
    return f"{100 * here.database:.0f} %"


def _late(how_slow: str, results: Sequence[Result]) -> str:
    late = max(one.late_renewals for one in results)
    what = "no lease runs out" if not late else f"{late:,} renewals come too late"
    longest = max(one.answer for one in results)
    return f"While the database takes {how_slow}, {what}, and answers take up to {longest:,.1f} s."


def _is(steady: Steady, servers: int, rooms: int, plan: str) -> bool:
    return (steady.size.servers, steady.size.rooms, steady.size.plan) == (servers, rooms, plan)


def _of(study: Study, scenario: s.Scenario, plan: str) -> list[Result]:
    return [one for one in study.results if (one.run.scenario, one.run.plan) == (scenario.name, plan)]
