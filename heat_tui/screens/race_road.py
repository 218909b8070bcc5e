"""Map and strip of the race screen: the same cars, corners and marks, once round and once unrolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heat_core.race import events as e
from heat_tui.flow.draft_marks import draft_marks
from heat_tui.flow.ghost import Ghost
from heat_tui.flow.painted_road import RoadPainter
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.map.marks import BARE_ROAD, RoadMarks, Skid
from heat_tui.map.widget import TrackMap
from heat_tui.race.animation import Step, skids_after
from heat_tui.race.bill import bill_mark
from heat_tui.race.presenter import RaceLabels, car_marks, road_start
from heat_tui.screens.base import HeatScreen
from heat_tui.widgets.road_ahead import RoadAhead
from heat_tui.widgets.road_strip import RoadView
from heat_tui.words.road_text import CornerMark, corner_marks


class RaceRoad:
    """Shows a race on its map and on the strip of the road ahead.

    What a choice leads to is painted on both, in slices: the screen stays free for keys meanwhile.
    """

    def __init__(self, screen: HeatScreen[None], labels: RaceLabels, on_painted: Callable[[], None]) -> None:
        """Find the widgets of a screen.

        Args:
            on_painted: Is called when a road that took several slices is finished.
        """
        self._on_painted = on_painted
        self._screen = screen
        self._labels = labels
        self._track = labels.track
        self._map = screen.query_one(TrackMap)
        self._strip = screen.query_one(RoadAhead)
        self._painter = RoadPainter()
        self._corners: Sequence[CornerMark] = ()
        self._skids: tuple[Skid, ...] = ()
        self._start = 1

    def start(self) -> None:
        """Put in what does not change during a race."""
        self._map.look = self._screen.navigator.map_look
        self._map.set_track(self._track)

    def show(self, shown: ScreenModel, ghost: Ghost | None) -> None:
        """Bring map and strip up to date, and begin to paint what a new choice leads to.

        Args:
            ghost: Drives along on the map; None: nothing does.
        """
        view = shown.view
        self._map.look = self._screen.navigator.map_look  # the theme may have changed
        self._corners = corner_marks(self._track, view, self._labels.setup.rules.weather_sectors)
        self._map.set_limits(
            {number: mark.limit for number, mark in enumerate(self._corners)},
            [mark.note() for mark in self._corners],
        )
        ghostly = ghost.mark(view.round) if ghost is not None else None
        self._map.set_cars([*car_marks(view, self._labels, shown.viewer), *([ghostly] if ghostly else [])])
        self._map.set_skids(self._skids)
        self._map.follow_car(view.turn.car if view.turn else shown.viewer)
        observation, draft = shown.observation, shown.draft
        self._map.highlight(draft_marks(observation, draft) if draft and observation else {})
        self._start = road_start(view, shown.viewer, self._track)
        self._painter.begin(observation, draft)
        self._paint()

    @property
    def may_change(self) -> bool:
        """Whether cars that drive before the own one may make it end elsewhere than painted."""
        return self._painter.road.may_change

    def _paint(self) -> bool:
        """Paint for one slice; show the road and return true once it is finished."""
        if self._painter.paint():
            self._show_marks(self._painter.road.marks)
            return True
        self._show_marks(BARE_ROAD)
        self._screen.call_later(self._paint_on)
        return False

    def _paint_on(self) -> None:
        if self._paint():
            self._on_painted()

    def _show_marks(self, marks: RoadMarks) -> None:
        self._map.set_road(marks)
        self._show_strip(marks)

    def _show_strip(self, marks: RoadMarks) -> None:
        finish_line = self._track.finish_line(self._labels.setup.laps)
        cars = [car for car in self._map.cars if not car.is_ghost]
        is_true = self._map.look.mode == "truecolor"
        view = RoadView(self._track, cars, self._start, finish_line, self._corners, marks, is_true)
        self._strip.show_road(view)

    def show_bill(self, bill: e.CornerChecked, *, is_lit: bool) -> None:
        """Show on the plate of a corner what crossing it has cost, or the plate as usual."""
        self._map.set_road(RoadMarks(corners={bill.corner: bill_mark(bill)}) if is_lit else BARE_ROAD)

    def hear(self, event: e.Event) -> None:
        """Take in what happened, for the marks that it leaves on the road."""
        self.set_skids(skids_after(self._skids, event))

    def set_skids(self, skids: tuple[Skid, ...]) -> None:
        """Have these marks on the road; they show with the next view."""
        self._skids = skids

    def bare(self) -> None:
        """Take all marks away: cars are about to drive."""
        self._painter.begin(None, None)
        self._map.highlight({})
        self._map.set_road(BARE_ROAD)

    def place_cars(self, steps: Sequence[Step]) -> None:
        """Show steps of several cars as one picture."""
        places = {step.car: step.way(1.0, self._spots[step.car]) for step in steps}
        self._map.place_cars({car: (way.progress, way.spot) for car, way in places.items()})
        self._show_strip(BARE_ROAD)

    def drive_cars(self, steps: Sequence[Step], share: float) -> None:
        """Show several cars after a share of their steps, on the map alone: the strip has whole spaces."""
        spots = self._spots
        self._map.drive_cars({step.car: step.way(share, spots[step.car]) for step in steps})

    @property
    def _spots(self) -> dict[int, int]:
        return {car.number: car.spot for car in self._map.cars}

    def place_car(self, step: Step) -> None:
        """Show one step of a moving car, with its wake."""
        if step.trail is not None:
            self._map.highlight({(self._track.space(progress), 0): step.trail for progress in step.wake})
        if step.trail == "skid":
            self._map.set_skids([*self._skids[:-1], self._skids[-1]._replace(end=step.progress)])
        self._map.follow_car(step.car)
        self.place_cars([step])
