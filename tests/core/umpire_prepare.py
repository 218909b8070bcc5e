"""The umpire before the first round: grid, draft, weather, piles, hands; or a position."""

from __future__ import annotations

from collections import Counter
from functools import partial

from heat_core.cards import UPGRADES, upgrade_deck
from heat_core.data.weather import ROADS, WEATHER, WeatherFacts
from heat_core.race import events as e
from heat_core.race.position_setup import CarPosition
from heat_core.race.setup import RaceSetup
from tests.core.umpire_knowledge import Dues, Then, due
from tests.core.umpire_rounds import Rounds

NO_WEATHER = WeatherFacts(0, 0, 0, 0, None)


class Prepares(Rounds):
    """Follows docs/rules.md: Setting up."""

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        modules = setup.modules
        is_advanced = modules.garage in ("advanced", "mixed")
        self.garage = Counter(
            upgrade_deck(
                basic=modules.garage in ("basic", "mixed"),
                advanced=is_advanced,
                expansion=is_advanced and modules.expansion,
            )
        )
        for owned in setup.carried.upgrades:
            self.garage -= Counter(owned)
        self.offered = Counter[str]()
        self.picking: list[int] = []
        self.grid: tuple[int, ...] = ()
        self.first_picker: int | None = None
        # Whether the picks of a round that is still to come start at the back of the grid.
        self.from_back = [True, False, True] if modules.draft == "three" else [True]
        if modules.garage == "none":
            self.from_back = []
        placing = setup.position
        self.due = [due(e.RaceSetUp)]
        if placing is None:
            self.due += [due(e.GridDrawn), Then(self.preparing)]
        else:
            self.due += [due(e.PositionPlaced, round=placing.round), Then(self.piles_of_a_position)]

    # What comes next.

    def preparing(self) -> Dues:
        """Take the next step on the way to the first round."""
        racing = self.racing(seats_only=True)
        seats = [number for number in self.grid if number in racing]
        if self.picking:
            return [self.opened("pick", self.picking[0])]
        if self.from_back:
            order = seats[::-1] if self.from_back.pop(0) else seats
            dealt = min(len(seats) + 3, self.garage.total())
            return [due(e.UpgradesDealt, order=tuple(order[:dealt])), Then(self.preparing)]
        if self.offered or self.garage:
            first = self.first_picker
            may_swap = first in seats and bool(self.offered) and self.setup.modules.draft == "one"
            if may_swap and first is not None:
                return [self.opened("swap", first)]
            return [due(e.GarageClosed), Then(self.preparing)]
        dues: Dues = []
        if self.setup.modules.weather:
            dues = [due(e.WeatherDrawn), due(e.RoadsDrawn)]
        return [*dues, Then(self.piles)]

    def piles(self) -> Dues:
        facts = self.setup.track
        weather = WEATHER[self.tokens.weather] if self.tokens.weather else NO_WEATHER
        heat = max(0, facts.heat + weather.heat + self.event.heat)
        drawn = min(weather.heat_to_draw_pile, heat)
        discarded = min(weather.heat_to_discard_pile, heat)
        dues: Dues = []
        dealt: Dues = []
        gained = self.event.sponsorships if self.setup.modules.sponsorships else 0
        for number in self.seats():
            dues.append(
                due(
                    e.PilesMade,
                    seat=number,
                    engine=heat - drawn - discarded,
                    discard_pile=("heat",) * discarded,
                )
            )
            if self.cars[number].status == "racing":
                dealt += [Then(partial(self.gained, number, "start", None)) for _ in range(gained)]
                dealt.append(Then(partial(self.drawn, number, self.hand_size)))
        dues += [due(e.LegendCardsShuffled)] if len(self.seats()) < len(self.cars) else []
        return [*dues, *dealt, Then(self.next_round)]

    def piles_of_a_position(self) -> Dues:
        placing = self.setup.position
        assert placing is not None
        dues: Dues = [due(e.PilesMade, seat=number) for number in self.seats()]
        if placing.weather is not None:
            roads = placing.roads or (None,) * len(self.tokens.corners)
            dues = [due(e.WeatherDrawn, weather=placing.weather), due(e.RoadsDrawn, roads=roads), *dues]
        has_legends = len(self.seats()) < len(self.cars)
        if placing.are_others_turned or placing.legend_cards or has_legends:
            dues.append(due(e.LegendCardsShuffled))
        for number in self.seats():
            place = placing.cars[number]
            size = self.hand_size if place.hand is None else len(place.hand)
            if place.hand is not None or not place.has_left:
                dues.append(Then(partial(self.drawn, number, size)))
        dues.append(due(e.RoundStarted, round=placing.round))
        return [*dues, Then(self.gears if placing.phase == "shift" else self.enter_cards)]

    # What happens.

    def see_grid(self, event: e.GridDrawn) -> None:
        assert sorted(event.order) == list(range(len(self.cars)))
        assert self.setup.carried.grid in (None, event.order)
        self.grid = event.order
        for (space, side), number in zip(self.setup.track.grid, event.order, strict=False):
            self.cars[number].place = space
            self.cars[number].spot = self.road.spot(space, side)

    def see_dealt(self, event: e.UpgradesDealt) -> None:
        seats = len(self.racing(seats_only=True))
        assert len(event.cards) == min(seats + 3, self.garage.total())
        assert Counter(event.cards) <= self.garage
        self.garage -= Counter(event.cards)
        self.offered = Counter(event.cards)
        self.picking = list(event.order)

    def see_picked(self, event: e.UpgradePicked) -> None:
        assert self.picking.pop(0) == event.seat
        if self.first_picker is None:
            self.first_picker = event.seat
        self.offered -= Counter([event.card])
        self.cars[event.seat].upgrades.append(event.card)

    def see_swapped(self, event: e.UpgradeSwapped) -> None:
        upgrades = self.cars[event.seat].upgrades
        upgrades[upgrades.index(event.give)] = event.take

    def see_closed(self, event: e.GarageClosed) -> None:
        self.offered.clear()
        self.garage.clear()

    def see_weather(self, event: e.WeatherDrawn) -> None:
        assert event.weather in WEATHER
        self.tokens.weather = event.weather

    def see_roads(self, event: e.RoadsDrawn) -> None:
        assert len(event.roads) == len(self.setup.track.corners)
        with_token = [n for n in range(len(event.roads)) if self.tokens.place(n) == n]
        lying = [n for n, token in enumerate(event.roads) if token is not None]
        if self.setup.position is None:
            assert lying == with_token[: 2 * len(ROADS)]
        assert set(lying) <= set(with_token)
        assert all(count <= 2 for count in Counter(event.roads[n] for n in lying).values())
        self.tokens.roads = event.roads

    def see_placed(self, event: e.PositionPlaced) -> None:
        placing = self.setup.position
        assert placing is not None
        self.round = placing.round - 1
        for number, (said, placed) in enumerate(zip(placing.cars, event.cars, strict=True)):
            self.see_placed_car(number, said, placed)
        assert len(self.taken(-1)) == sum(car.status == "racing" for car in self.cars)
        self.left.sort(key=lambda number: event.cars[number].place or 0)
        self.out.sort(key=lambda number: event.cars[number].place or 0)
        assert event.spent == placing.spent
        self.sponsorships -= Counter(event.spent)
        if self.event.laps_cost_heat or self.event.trigger == "first_three_of_lap_1":
            for car in self.cars:
                car.laps = max(0, self.road.lap(car.place) - 1)
                self.of_lap_1 += car.laps > 0

    def see_placed_car(self, number: int, said: CarPosition, placed: e.PlacedCar) -> None:
        car = self.cars[number]
        assert said.spot in (None, placed.spot)
        assert placed.progress == said.lap * self.setup.track.spaces + said.space
        assert (placed.gear, placed.speed, placed.played) == (said.gear, said.speed, said.played)
        places = {"left": said.finished, "gave_up": said.gave_up, "spun_out": said.spun_out}
        reason, place = next((item for item in places.items() if item[1]), ("racing", None))
        assert (placed.status, placed.place) == (reason, place)
        car.place, car.spot, car.gear, car.status = placed.progress, placed.spot, placed.gear, placed.status
        car.played = list(placed.played)
        if placed.status == "left":
            self.left.append(number)
        elif placed.status != "racing":
            self.out.append(number)
        self.sponsorships -= Counter(placed.played)

    def see_piles_made(self, event: e.PilesMade) -> None:
        assert event.draw_pile is not None
        assert event.cards == len(event.draw_pile)
        placing = self.setup.position
        cards = self.deck(event.seat)
        car = self.cars[event.seat]
        if placing is None:
            assert Counter(event.draw_pile) == cards
        else:
            placed = placing.cars[event.seat]
            assert event.discard_pile == placed.discard_pile
            hand = placed.hand or ()
            assert event.draw_pile[: len(hand)] == hand
            below = event.draw_pile[len(hand) :]
            rest = cards - Counter((*hand, *placed.discard_pile, *placed.played))
            assert below == placed.draw_pile or Counter(below) == rest
            assert placed.engine is None or event.engine == placed.engine
        self.sponsorships -= Counter((*event.draw_pile, *event.discard_pile))
        car.draw, car.discard = list(event.draw_pile), list(event.discard_pile)
        car.engine = event.engine

    def deck(self, number: int) -> Counter[str]:
        """Count the cards of a seat's draw pile at the start."""
        modules, facts = self.setup.modules, self.setup.track
        weather = WEATHER[self.tokens.weather] if self.tokens.weather else NO_WEATHER
        heat = max(0, facts.heat + weather.heat + self.event.heat)
        cards = Counter({"1": 3, "2": 3, "3": 3, "4": 3})
        cards += Counter({"stress": max(0, facts.stress + weather.stress + self.event.stress)})
        cards += Counter({"heat": min(heat, weather.heat_to_draw_pile)})
        if modules.garage == "none":
            cards.update(("start-0", "start-5", "heat"))
        else:
            upgrades = self.cars[number].upgrades
            cards.update("heat" if UPGRADES[card].family == "heat" else card for card in upgrades)
        kept = self.setup.carried.sponsorships
        cards.update(kept[number] if kept else ())
        return cards

    def see_legends_shuffled(self, event: e.LegendCardsShuffled) -> None:
        assert event.order is not None
        assert not self.legend_deck
        placing = self.setup.position if self.phase == 0 else None
        named = placing.legend_cards if placing else ()
        assert event.order[: len(named)] == named
        if placing and placing.are_others_turned:
            assert event.order == named
        else:
            assert sorted(event.order) == list(range(10))
        self.legend_deck = list(event.order)
