"""Making once, for trial, all that the screens will make of a server's news.

Whether a choice, a turn and the events around it fit together cannot be told from their parts alone; the
texts and forecasts of the race screen need it all. They are pure functions: where they break, the news was
nonsense.
"""

from __future__ import annotations

from heat_core.choices import PickChoice, ReactChoice, SlipstreamChoice, SwapChoice, UnpaidChoice
from heat_core.figures import race_figures
from heat_core.sentences import sentence
from heat_core.track import compile_track
from heat_core.view import Observation
from heat_core.wire import messages as m
from heat_tui.race.animation import steps
from heat_tui.race.draft import DONE, Draft
from heat_tui.race.garage import garage_page, is_garage
from heat_tui.race.glyphs import UNICODE
from heat_tui.race.presenter import Cast, asked, car_marks, entries, road_start, waiting_for
from heat_tui.race.reaction_rows import reaction_rows
from heat_tui.race.result_table import result_table
from heat_tui.race.road_text import corner_marks, weather_lines
from heat_tui.race.season_table import season_page, season_title
from heat_tui.race.stage import Stage
from heat_tui.race.wording import draft_outcomes, forecast_lines, harmless_slipstream, turn_line

_MOST_STEPS = 400
"""Spaces that one event moves a car; the longest lap there can be."""


def rehearse_race(update: m.Update, started: m.Started, fault: type[Exception]) -> None:
    """Tell and draw an update for trial.

    Args:
        started: The race that it belongs to.
        fault: Raised where it cannot be done.
    """
    try:
        _tell(update, started)
        _draw(update, started)
        _forecast(update, started)
    except Exception as error:  # whatever breaks over news breaks because of the news
        raise fault(f"a race that cannot be told ({type(error).__name__})") from error


def rehearse_season(told: m.SeasonTold, fault: type[Exception]) -> None:
    """Tell a season for trial.

    Args:
        fault: Raised where it cannot be done.
    """
    try:
        season_title(told.setup, told.view)
        season_page(told.setup, told.view, range(len(told.cars)))
    except Exception as error:  # whatever breaks over news breaks because of the news
        raise fault(f"a season that cannot be told ({type(error).__name__})") from error


def _tell(update: m.Update, started: m.Started) -> None:
    cast = Cast.of(started.setup)
    track = compile_track(started.setup.track)
    stage = Stage(cast, track)
    for event in update.events:
        sentence(event, cast.names, track)
        stage.tell(event, None)
        if len(list(steps(event))) > _MOST_STEPS:
            raise ValueError("a move around the world")
    _ = stage.lines, stage.title


def _draw(update: m.Update, started: m.Started) -> None:
    cast, view = Cast.of(started.setup), update.view
    track, where = compile_track(started.setup.track), started.setup.rules.weather_sectors
    entries(view, cast, started.seat, update.away)
    car_marks(view, cast, started.seat)
    waiting_for(view, cast, started.seat)
    asked(view)
    cast.engine_size(view)
    road_start(view, started.seat, track)
    corner_marks(track, view, where)
    weather_lines(track, view.roads, view.weather, started.setup)
    turn_line(view, cast.names, track)
    if is_garage(view):
        garage_page(view, cast, None, 0, 78, 22, UNICODE)
    if view.status == "ended":
        figures = race_figures(started.setup, ())
        result_table(cast, view, figures, ())


def _forecast(update: m.Update, started: m.Started) -> None:
    """Make what is shown under the cards, for each row that can be chosen."""
    own, view = update.view.own, update.view
    if own is None or own.choice is None:
        return
    observation = Observation(started.setup, view)
    kind = next(decision.kind for decision in view.decisions if decision.seat == own.seat)
    draft = Draft.begin(own, kind, view.round, view.cars[own.seat].gear)
    for row in _rows(draft, own.choice):
        draft.row = row
        forecast_lines(observation, draft)
        draft_outcomes(observation, draft)
        reaction_rows(observation, draft)
        if is_garage(view):
            garage_page(view, Cast.of(started.setup), draft, 0, 78, 22, UNICODE)
    if isinstance(own.choice, SlipstreamChoice):
        harmless_slipstream(observation, own.choice)


def _rows(draft: Draft, choice: object) -> list[int]:
    match choice:
        case ReactChoice():
            return [DONE, *range(len(choice.symbols) + len(choice.direct))]
        case UnpaidChoice():
            return list(range(len(choice.ways)))
        case PickChoice():
            return list(range(len(choice.offered)))
        case SwapChoice():
            return [DONE, *range(len(choice.left))]
        case _:
            return [draft.row]
