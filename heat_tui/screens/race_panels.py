"""The panels of the race screen and their contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from heat_core.decisions import (
    CardsChoice,
    DiscardChoice,
    ReactChoice,
    SlipstreamChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.race import events as e
from heat_core.view.race_view import OwnView, RaceView
from heat_tui.flow.banner import banner_line
from heat_tui.flow.garage import is_garage
from heat_tui.flow.ghost import Ghost
from heat_tui.flow.instruments import instruments_in_turn, instruments_of
from heat_tui.flow.reaction_rows import reaction_rows
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.flow.turn_replay import TurnReplay
from heat_tui.flow.worths import Worths
from heat_tui.keys.bindings import keys_of
from heat_tui.map.marks import Skid
from heat_tui.map.widget import TrackMap
from heat_tui.race.animation import Step
from heat_tui.race.bill import Beat
from heat_tui.race.draft import Draft
from heat_tui.race.order import NOTHING_PAID, Turns, moved, turns
from heat_tui.race.presenter import RaceLabels, entries
from heat_tui.race.rows import Entry
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.race_garage import RaceGarage
from heat_tui.screens.race_road import RaceRoad
from heat_tui.theme.colours import GOLD
from heat_tui.theme.glyphs import ASCII, spelled
from heat_tui.widgets.chips import with_chips
from heat_tui.widgets.curtain import Curtain
from heat_tui.widgets.dashboard import Dashboard
from heat_tui.widgets.hand import Cards, HandRow, places_of
from heat_tui.widgets.lesson_box import LessonBox
from heat_tui.widgets.moment_box import MomentBox
from heat_tui.widgets.newest_lines import NewestLines
from heat_tui.widgets.panel import TextPanel
from heat_tui.widgets.reactions import ROWS_BESIDE_HAND, ReactionList
from heat_tui.widgets.road_ahead import RoadAhead
from heat_tui.widgets.standings import GhostEntry, Standings, StandingsStrip
from heat_tui.widgets.table_cards import TableCards
from heat_tui.words.key_line import keys_for, told_line, with_modules
from heat_tui.words.labels import cut
from heat_tui.words.line import DIM, HINT, NOTICE, Line
from heat_tui.words.log import LogLine
from heat_tui.words.plain_way import too_small
from heat_tui.words.wording import OTHERS_MAY_CHANGE, forecast_lines, turn_line

_FORECAST_LINES: Final = 3


class RacePanels:
    """Hands views on to the widgets of one race screen.

    Attributes:
        moments: The stamps over the map.
        ghost: The race that drives along; None: none does.
    """

    def __init__(self, screen: HeatScreen[None], labels: RaceLabels) -> None:
        """Find the widgets of a screen that `compose` filled."""
        self._screen = screen
        self._labels = labels
        self._track = labels.track
        self._banner = screen.query_one("#banner", TextPanel)
        self._road = RaceRoad(screen, labels, self._tell_of_others)
        self._standings = screen.query_one(Standings)
        self._strip = screen.query_one(StandingsStrip)
        self._log = screen.query_one("#log", NewestLines)
        self._chat = screen.query_one("#chat", NewestLines)
        self._hand = screen.query_one(HandRow)
        self._reactions = screen.query_one(ReactionList)
        self._dashboard = screen.query_one(Dashboard)
        self._garage = RaceGarage(screen, labels)
        self._forecast = screen.query_one("#forecast", TextPanel)
        self._keys = screen.query_one("#keys", TextPanel)
        self._curtain = screen.query_one(Curtain)
        self.moments = screen.query_one(MomentBox)
        self._table_cards = screen.query_one(TableCards)
        self.ghost: Ghost | None = None
        self._log_lines: Sequence[LogLine] = ()
        self._shown: ScreenModel | None = None
        self._replayed: tuple[ScreenModel, TurnReplay] | None = None

    @staticmethod
    def compose(plain_way: str) -> ComposeResult:
        """Make the widgets; `plain_way` says how to play in a terminal that is too small for them."""
        yield Static(too_small(plain_way), id="too-small", markup=False)
        yield TextPanel(id="banner")
        with Horizontal(id="upper"):
            yield TrackMap(zoom="whole", id="map")
            with Vertical(id="side"):
                yield Standings(id="standings")
                yield NewestLines(id="log")
                yield LessonBox("side-lesson")
                yield NewestLines(id="chat")
            yield TextPanel(id="garage-side")
            yield LessonBox("lesson")
            yield MomentBox()
        yield StandingsStrip(id="order")
        yield TextPanel(id="garage")
        yield RoadAhead(id="road")
        with Horizontal(id="lower"):
            yield HandRow(id="hand")
            yield ReactionList(id="reactions")
            yield Curtain(id="curtain")
            yield TableCards(id="table-cards")
            yield Dashboard(id="dashboard")
        yield TextPanel(id="forecast")
        yield TextPanel(id="keys")

    @staticmethod
    def fit(screen: Screen[None], size: Size) -> None:
        """Open up where there is room; say what is needed where there is too little."""
        screen.set_class(size.width < 80 or size.height < 24, "-small")
        screen.set_class(size.width >= 110, "-wide")
        screen.set_class(size.width >= 160, "-huge")
        screen.set_class(size.height >= 34, "-tall")
        screen.set_class(size.width >= 110 and size.height >= 34, "-big")
        screen.set_class(size.width >= 186 and size.height >= 50, "-vast")

    def start(self) -> None:
        """Put in what does not change during a race."""
        self._road.start()

    def show(self, shown: ScreenModel) -> None:
        """Bring every panel up to date."""
        view = shown.view
        if self._screen.has_class("-garage") != is_garage(view):
            self._screen.toggle_class("-garage")
            self._screen.call_after_refresh(self._fit_all)
        self.show_banner(shown)
        if is_garage(view):
            self._garage.show(shown)
        self._show_standings(self._entries(shown), turns(view), view)
        self._road.show(shown, self.ghost)
        self._show_lower(shown)
        self._shown = shown
        self._show_forecast(shown)
        self._show_keys(shown)
        self.show_log(self._log_lines)

    def _fit_all(self) -> None:
        """Draw to the new sizes: a panel does not hear of its own if any was asked for before the layout."""
        for panel in self._screen.query(TextPanel):
            panel.on_resize()

    def _entries(self, shown: ScreenModel) -> list[Entry]:
        return entries(shown.view, self._labels, shown.viewer, shown.away, shown.order_before)

    def _show_standings(self, lines: Sequence[Entry], driving: Turns, view: RaceView) -> None:
        engine_size = self._labels.engine_size(view)
        at = self.ghost.at(view.round) if self.ghost is not None else None
        self._standings.ghost = (
            at if at is None else GhostEntry(at, self._track.lap(at), self._track.space(at))
        )
        self._standings.styles.height = len(lines) + (2 if at is None else 3)
        for panel in (self._standings, self._strip):
            panel.show_entries(lines, self._labels.setup.laps, driving.order, driving.done, engine_size)

    def show_banner(self, shown: ScreenModel) -> None:
        """Say where the race stands, whom it waits for, and how long yet."""
        is_ascii = self._screen.app.has_class("-ascii")
        chat = keys_of(self._screen).told("race.chat")
        line = banner_line(
            shown, self._labels, self._banner.size.width or 80, is_ascii=is_ascii, chat_key=chat
        )
        self._banner.show_lines([self.spelled(line)])

    def _show_lower(self, shown: ScreenModel) -> None:
        own = shown.view.own
        choice = own.choice if own else None
        self._table_cards.display = False
        is_reacting = isinstance(choice, ReactChoice | SlipstreamChoice | ValueChoice | UnpaidChoice)
        self._hand.display, self._reactions.display = own is not None and not is_reacting, is_reacting
        self._curtain.display, self._dashboard.display = own is None, own is not None
        # A whole map says whose turn it is, too.
        self._screen.set_class(shown.curtain is not None, "-curtain")
        if own is None:
            self._show_curtain(shown)
            return
        if is_reacting and shown.observation is not None and shown.draft is not None:
            rows = reaction_rows(shown.observation, shown.draft, keys_of(self._screen))
            if shown.worths is not None and shown.draft.salvage is None:
                rows = [row._replace(worth=shown.worths.row(row.number)) for row in rows]
            self._hand.display = self._screen.has_class("-big") and len(rows) <= ROWS_BESIDE_HAND
            self._reactions.show_rows(rows, beside_hand=self._hand.display)
        if self._hand.display:
            self._show_hand(own, shown.draft, shown.worths)
        if (car := instruments_of(shown, self._labels.engine_size(shown.view))) is not None:
            self._dashboard.show_car(car)

    def _show_hand(self, own: OwnView, draft: Draft | None, worths: Worths | None) -> None:
        choice = own.choice
        pool = choice.pool if isinstance(choice, CardsChoice | DiscardChoice) else ()
        refreshable = choice.refreshable if isinstance(choice, DiscardChoice) else ()
        usable = {place for place, card in enumerate(own.hand) if card in pool}
        usable |= {len(own.hand) + place for place in range(len(refreshable))}
        picked = draft.picked if draft and usable else places_of(own.face_down, own.hand)
        cards = (*own.hand, *refreshable)
        self._hand.show_hand(
            Cards(
                cards,
                picked,
                frozenset(usable),
                bool(pool or refreshable),
                len(own.hand),
                draft.cursor if draft and usable else None,
                worths.cards() if worths is not None else (),
            )
        )

    def _show_curtain(self, shown: ScreenModel) -> None:
        if shown.curtain is not None:
            self._curtain.show_call(self._labels.names[shown.curtain])
            return
        why = "You are watching: hands stay hidden." if shown.people.is_watching else "The others drive."
        self._curtain.show_table(why, shown.view, self._labels)

    def _show_forecast(self, shown: ScreenModel) -> None:
        lines: list[Line] = []
        if shown.observation is not None and shown.draft is not None:
            lines = forecast_lines(shown.observation, shown.draft, keys_of(self._screen))
            if self._road.may_change and len(lines) < _FORECAST_LINES and not shown.draft.picked:
                lines.append(OTHERS_MAY_CHANGE)
        elif shown.view.status != "ended" and (shown.viewer is not None or shown.people.is_watching):
            turn = turn_line(shown.view, self._labels.names, self._track)
            wait = [] if shown.people.is_watching else [Line("wait while the others choose or drive", DIM)]
            lines = [*wait, *([turn] if turn else [])]
        if last := shown.message or shown.people.note:
            lines = self._above(lines, self._folded(Line(last, NOTICE)))
        elif shown.hint:
            lines = self._above([*lines, Line(""), Line("")], self._folded(Line(shown.hint, HINT)))
        width, glyphs = self._forecast.size.width or 80, self._forecast.glyphs
        texts = [self.spelled(Text(" " + line.text, line.style)) for line in lines[:_FORECAST_LINES]]
        if shown.observation is not None and shown.draft is not None and not (last or shown.hint):
            texts = with_chips(texts, shown.observation, shown.draft, width, glyphs)
        self._forecast.show_lines([cut(text, width, is_ascii=glyphs is ASCII) for text in texts])

    def _tell_of_others(self) -> None:
        """Say what others may change, once that is known."""
        if self._shown is not None and self._road.may_change:
            self.show_hint(self._shown)

    def _folded(self, line: Line) -> list[Line]:
        """Fold a sentence into as many lines as it needs here."""
        return line.folded((self._forecast.size.width or 80) - 1)

    @staticmethod
    def _above(lines: Sequence[Line], last: Sequence[Line]) -> list[Line]:
        """Put as much as there is room for above what must be read whole."""
        return [*lines[: max(0, _FORECAST_LINES - len(last))], *last]

    def show_hint(self, shown: ScreenModel) -> None:
        """Bring the line about what is pointed at up to date, unless something else is being shown."""
        if shown.turn_replay is None:
            self._show_forecast(shown)

    def _show_keys(self, shown: ScreenModel) -> None:
        own = shown.view.own
        is_chosen = own is not None and own.chosen is not None
        is_salvaging = shown.draft is not None and shown.draft.salvage is not None
        keys = keys_for(own.choice if own else None, is_chosen=is_chosen, is_salvaging=is_salvaging)
        if shown.curtain is not None or shown.view.status == "ended":
            keys = [("Enter", "continue", "confirm"), *keys]
        width, names = self._keys.size.width or 80, keys_of(self._screen)
        keys = with_modules(
            keys,
            width,
            has_chat=shown.people.is_there,
            has_weather=shown.view.weather is not None or bool(shown.view.roads),
            has_cards=any(car.upgrades for car in shown.view.cars),
            has_arrows=own is not None and isinstance(own.choice, CardsChoice | DiscardChoice),
            has_advice=shown.may_be_advised,
            names=names,
        )
        line, hits = told_line(keys, width, names)
        self._keys.show_lines([line], hits)

    def show_log(self, lines: Sequence[LogLine]) -> None:
        """Show the newest lines of the log."""
        self._log_lines = lines
        self._log.show_log(lines, self._labels)

    def show_chat(self, lines: Sequence[Text]) -> None:
        """Show the newest lines of the chat, where there is room for its panel."""
        self._screen.add_class("-chat")
        heading = keys_of(self._screen).fill("Chat: {race.chat} to write")
        self._chat.show_chat(lines, self._labels, heading)

    @property
    def has_room_for_chat(self) -> bool:
        """Whether the chat is on the screen, so that what comes is read at once."""
        return bool(self._chat.size.height)

    def show_turn_replay(self, shown: ScreenModel, turn_replay: TurnReplay) -> None:
        """Show what turns up and drives, in place of hand and forecast."""
        self._replayed = shown, turn_replay
        self.show_banner(shown)
        self._road.bare()
        self._show_places(shown, turn_replay, turn_replay.places)
        if turn_replay.car is not None:
            for panel in (self._hand, self._reactions, self._curtain):
                panel.display = False
            self._table_cards.display = True
            self._table_cards.show_turn(turn_replay, self._labels.names[turn_replay.car])
        self._show_told(turn_replay)
        self._keys.show_lines([Text(" any key skips", Style(dim=True))])

    def show_bill(self, bill: e.CornerChecked, beat: Beat) -> None:
        """Show how far a bill at a corner is paid, and its plate lit or as usual."""
        self._road.show_bill(bill, is_lit=beat.is_lit)
        if self._replayed is not None:
            shown, turn_replay = self._replayed
            self._show_places(shown, turn_replay, turn_replay.places, {bill.seat: beat.paid})

    def hear(self, event: e.Event) -> None:
        """Take in what happened, before it is shown."""
        self._road.hear(event)

    def set_skids(self, skids: tuple[Skid, ...]) -> None:
        """Have these marks of spin-outs on the road, in place of those of what was heard."""
        self._road.set_skids(skids)

    def place_cars(self, steps: Sequence[Step]) -> None:
        """Show steps of several cars as one picture."""
        self._road.place_cars(steps)
        self._screen.show_now()

    def drive_cars(self, steps: Sequence[Step], share: float) -> None:
        """Show cars after a share of their steps."""
        self._road.drive_cars(steps, share)
        self._screen.show_now()

    def place_car(self, step: Step) -> None:
        """Show a car behind a step, with its wake; standings and a count of its spaces go along."""
        self._road.place_car(step)
        if self._replayed is not None:
            shown, turn_replay = self._replayed
            self._show_places(
                shown, turn_replay, turn_replay.places | {step.car: (step.progress, step.spot or 0)}
            )
            self._show_told(turn_replay, step.spaces)
        self._screen.show_now()

    def _show_places(
        self,
        shown: ScreenModel,
        turn_replay: TurnReplay,
        places: Mapping[int, tuple[int, int]],
        paying: Mapping[int, int] = NOTHING_PAID,
    ) -> None:
        """Show standings and engine with some cars further on, and with less Heat, than the view has them."""
        active = [
            entry._replace(mark="", is_active=entry.car.number == turn_replay.car)
            for entry in self._entries(shown)
        ]
        paid = {
            number: turn_replay.paid.get(number, 0) + paying.get(number, 0)
            for number in turn_replay.paid.keys() | paying.keys()
        }
        lines = moved(active, places, self._track, paid, turn_replay.gears)
        self._show_standings(lines, turn_replay.turns or turns(shown.view), shown.view)
        if (own := shown.view.own) is not None:
            size = self._labels.engine_size(shown.view)
            car = instruments_in_turn(shown, size, paid.get(own.seat, 0), turn_replay.gears.get(own.seat))
            if car is not None:
                self._dashboard.show_car(car)

    def _show_told(self, turn_replay: TurnReplay, spaces: int = 0) -> None:
        """Show what is told of a turn; of a move how many spaces it has come so far."""
        told = [part for line in turn_replay.lines for part in self._folded(line)]
        newest = (*told[:1], *told[1:][1 - _FORECAST_LINES :])
        lines = [self.spelled(Text(" " + line.text, line.style)) for line in newest]
        if spaces and lines:
            driven = f"  {self._forecast.glyphs.ahead * spaces} {spaces}"
            lines[0].append(driven, Style(bold=True, color=GOLD))
        self._forecast.show_lines(lines)

    def spelled(self, text: Text) -> Text:
        """Spell a line in signs that this terminal can show."""
        return spelled(text, is_ascii=self._screen.app.has_class("-ascii"))
