"""What a session asks of this keyboard: whose decision it is, what needs no answer, how a draft begins."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.decisions import ReactChoice, SlipstreamChoice, only_answer
from heat_core.race.commands import SECRET_COMMANDS, Command
from heat_core.view.observation import Observation
from heat_tui.client.session import Session
from heat_tui.race.draft import Draft
from heat_tui.words.wording import harmless_slipstream


class Reply(NamedTuple):
    """An answer, as `Session.submit` takes it."""

    seat: int
    decision: int | None
    command: Command


def seats_due(session: Session) -> list[int]:
    """List the seats played here that owe a choice."""
    return [
        decision.seat
        for decision in session.view(None).decisions
        if not decision.has_chosen and decision.seat in session.seats
    ]


def forced_replies(session: Session) -> list[Reply]:
    """Answer the open decisions of your own seats that leave nothing to decide.

    Around one keyboard a secret one is asked all the same: a curtain that did not come would tell the others
    what that hand is like.
    """
    is_hot_seat = len(session.seats) > 1
    replies = []
    for seat in session.seats:
        own = session.view(seat).own
        if own is not None and own.choice is not None and own.chosen is None:
            command = only_answer(own.choice)
            if command is not None and not (is_hot_seat and isinstance(command, SECRET_COMMANDS)):
                replies.append(Reply(seat, own.decision, command))
    return replies


def draft_for(observation: Observation, draft: Draft | None) -> Draft | None:
    """Give the half-made choice for what is open now: the one there is, where it still fits, else a new one.

    Returns:
        None where nothing is asked.
    """
    own, view = observation.own, observation.view
    if own.choice is None:
        return None
    kind = next(decision.kind for decision in view.decisions if decision.seat == own.seat)
    if draft is None or not draft.fits(own.seat, kind, view.round):
        draft = Draft.begin(own, kind, view.round, observation.own_car.gear)
        if isinstance(own.choice, SlipstreamChoice):
            draft.spaces = harmless_slipstream(observation, own.choice)
    if isinstance(own.choice, ReactChoice) and draft.decision != own.decision:
        # The symbols have moved on: what was selected may be something else now.
        draft.select_first(own.choice)
        draft.decision = own.decision
    return draft
