"""All that the panels of the race screen show at one moment."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_tui.client.connection_state import ConnectionState
from heat_tui.flow.people import People
from heat_tui.flow.race import RaceController
from heat_tui.flow.turn_replay import TurnReplay
from heat_tui.flow.worths import Worths
from heat_tui.race.draft import Draft
from heat_tui.words.race_talk import CHOSEN


class ScreenModel(NamedTuple):
    """Everything that the panels show at one moment.

    Attributes:
        viewer: Whose hand is open, None for nobody's.
        curtain: To whom the keyboard should go, None where it need not move.
        observation: The viewer's.
        turn_replay: What turns up or drives just now.
        is_hot_seat: Whether several people play at this keyboard, so that nobody is just `you`.
        hint: The figures of what is pointed at.
        looked_at: Which open upgrade is explained while others pick.
        away: Seats that are driven for.
        people: Those around the table, where it is at a server.
        worths: What each choice is worth, None without advice.
        may_be_advised: Whether advice may be asked for on what is asked now.
        order_before: The turn order that was fixed last.
    """

    view: RaceView
    viewer: int | None
    curtain: int | None
    draft: Draft | None
    observation: Observation | None
    message: str
    seconds_left: float | None
    connection: ConnectionState
    turn_replay: TurnReplay | None = None
    is_hot_seat: bool = False
    hint: str = ""
    looked_at: int = 0
    away: frozenset[int] = frozenset()
    people: People = People()
    worths: Worths | None = None
    may_be_advised: bool = False
    order_before: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        race: RaceController,
        *,
        turn_replay: TurnReplay | None,
        hint: str,
        looked_at: int,
        pause_key: str,
    ) -> ScreenModel:
        """Take together what a race and its screen show.

        Args:
            pause_key: What votes for a pause.
        """
        people = race.around.shown(pause_key)
        # Who has chosen may well wait for the others: what those want comes before a confirmation.
        message = "" if people.note and race.message == CHOSEN else race.message
        return cls(
            view=race.view,
            viewer=race.viewer,
            curtain=race.curtain,
            draft=race.draft,
            observation=race.observation,
            message=race.ending or message,
            seconds_left=race.seconds_left(),
            connection=race.session.connection,
            turn_replay=turn_replay,
            is_hot_seat=race.is_hot_seat,
            hint=hint,
            looked_at=looked_at,
            away=frozenset(race.session.away),
            people=people,
            worths=race.worths,
            may_be_advised=race.open_decision is not None and not race.advising.why_not(),
            order_before=race.order_before,
        )
