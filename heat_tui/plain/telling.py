"""The state of a race in sentences: cars, piles, road, weather, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from heat_core.bot_names import level_of
from heat_core.cards import CardName, deck_card
from heat_core.planner.upgrade_worths import UpgradeWorths
from heat_core.race import events as e
from heat_core.record.figures import RaceFigures
from heat_core.sentences.card_words import card_name, explain_card
from heat_core.sentences.events import gear_name
from heat_core.text import counted, ordinal
from heat_core.track import Track
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView, RaceView
from heat_tui.flow.garage import worth_sentence
from heat_tui.flow.results import ResultsController
from heat_tui.plain.facts import car_sentence, corner_sentence, hand_sentence, standing_sentence
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import sentence_of
from heat_tui.race.presenter import RaceLabels
from heat_tui.words.highlights import highlight_text
from heat_tui.words.result_table import FALSE_SEED, final_progress, seed_text_lines
from heat_tui.words.road_text import corner_text, weather_lines
from heat_tui.words.wording import turn_line

_ROAD_SPACES: Final = 25
"""So far ahead the road is shown."""
_TIMES: Final = ("", "", " twice", " three times", " four times", " five times")


def cars_told(view: RaceView, labels: RaceLabels, away: Collection[int], viewer: int | None) -> list[str]:
    """Tell every car, the leader first, and how far it is from the viewer's."""
    told = []
    own = view.cars[viewer] if viewer is not None and view.cars[viewer].is_on_track else None
    for place, number in enumerate(view.ranking, start=1):
        car = view.cars[number]
        gap = f"{_gap_to(car, own)}, " if own is not None and car.is_on_track and number != viewer else ""
        text = f"{ordinal(place)} {labels.names[number]}: {gap}{_car_text(car, labels)}"
        told.append(sentence_of(text + (", away" if number in away else "")))
    return told


def _gap_to(car: CarView, own: CarView) -> str:
    gap = car.progress - own.progress
    return f"{abs(gap)} {'ahead of' if gap > 0 else 'behind'} you" if gap else "level with you"


def _car_text(car: CarView, labels: RaceLabels) -> str:
    if car.status == "gave_up":
        return "gave up"
    if not car.is_on_track:
        return "has left the track"
    lap = f"lap {car.lap}" if car.lap else "on the grid"
    driver = labels.setup.cars[car.number]
    colour: str = driver.colour
    where = f"{lap}, space {car.space}"
    if car.is_legend:
        return f"{where}, {colour} Legend" + ("" if car.speed is None else f", last speed {car.speed}")
    if level := level_of(driver.name):
        colour += f", {level} bot"
    return f"{where}, {colour}, {gear_name(car.gear)} gear, engine {car.engine}, {car.hand_size} in hand"


def where_told(observation: Observation, labels: RaceLabels) -> list[str]:
    """Tell where the own car stands, and the turn of the one that drives."""
    standing = standing_sentence(observation.view, labels.setup, observation.own.seat)
    told = [
        f"Round {observation.view.round}.",
        standing,
        car_sentence(observation),
        corner_sentence(observation),
    ]
    if (line := turn_line(observation.view, labels.names, observation.track)) is not None:
        told.append(sentence_of(line.text))
    return told


def hand_told(observation: Observation) -> list[str]:
    """Tell the hand."""
    return [hand_sentence(observation)]


def piles_told(observation: Observation) -> list[str]:
    """Tell engine, discard pile and what the draw pile can hold: `1, 2 three times, the 0`."""
    car = observation.own_car
    return [
        f"The engine holds {car.engine} Heat.",
        f"Discard pile, {_counts(car.discard_pile)}.",
        f"Draw pile, in unknown order, {_counts(observation.own.draw_pile)}.",
    ]


def _counts(cards: Sequence[CardName]) -> str:
    counts = Counter(card_name(card) for card in cards)
    times = [*_TIMES, *(f" {count} times" for count in range(len(_TIMES), len(cards) + 1))]
    told = [f"{name}{times[count]}" for name, count in counts.items()]
    return f"{counted(len(cards), 'card')}: {', '.join(told)}" if told else "empty"


def cards_explained(cards: Sequence[CardName], worths: UpgradeWorths | None = None) -> list[str]:
    """Explain cards, each kind once.

    Args:
        worths: What upgrades are worth, where they are on offer.
    """
    kinds = {deck_card(card): card for card in cards}
    told = [f"{card_name(card)}: {' '.join(explain_card(card))}" for card in kinds]
    if worths is None:
        return told
    return [f"{line} {worth_sentence(card, worths)}" for line, card in zip(told, kinds.values(), strict=True)]


def road_told(view: RaceView, labels: RaceLabels, track: Track, car: int) -> list[str]:
    """Tell the road before a car: who stands where, corner lines, Legends lines, the finish."""
    start = view.cars[car].progress
    finish_line = track.finish_line(labels.setup.laps)
    told = []
    for progress in range(start, start + _ROAD_SPACES):
        space = track.space(progress)
        there = [other.number for other in view.cars if other.is_on_track and other.space == space]
        if others := [labels.names[number] for number in there if number != car]:
            told.append(f"on {space} {' and '.join(others)}")
        for number, corner in enumerate(track.corners):
            if corner.legends_line_after_space == space:
                told.append(f"after {space} the Legends line of corner {number + 1}")
            if corner.after_space == space:
                told.append(f"after {space} corner {number + 1}, {corner_text(track, view.roads, number)}")
        if progress == finish_line:
            told.append(f"after {space} the finish line")
        elif space == track.spaces:
            told.append(f"after {space} the start line")
    text = "; ".join(told) or "only road"
    return [f"From space {track.space(start)} on, {counted(_ROAD_SPACES, 'space')}: {text}."]


def weather_told(view: RaceView, labels: RaceLabels, track: Track) -> list[str]:
    """Tell weather and road tokens, and in a championship the event."""
    lines = weather_lines(track, view.roads, view.weather, labels.setup)
    return [sentence_of(line) for line in lines if line.strip()]


def legends_told(events: Sequence[e.Event], labels: RaceLabels) -> list[str]:
    """Tell what the last Legend card means to each Legend."""
    cards = [event.card for event in events if isinstance(event, e.LegendCardTurned)]
    return [sentence_of(labels.legend_card(cards[-1])) if cards else "No Legend card has been turned up."]


def seed_told(events: Sequence[e.Event], labels: RaceLabels) -> list[str]:
    """Tell the seed and whether it is what was promised; before the end, its whole hash."""
    if seed := seed_text_lines(events).plain.strip():
        return [sentence_of(line) for line in seed.splitlines()]
    promises = [labels.told(event) for event in events if isinstance(event, e.RaceSetUp)]
    return [sentence_of(text) for text in promises if text] or ["Nothing is known of the seed."]


def places_told(places: Sequence[tuple[int, Sequence[int]]], names: Sequence[str]) -> list[str]:
    """Tell who was where after each round."""
    told = [f"Round {number}: {', '.join(names[car] for car in cars)}." for number, cars in places]
    return told or ["Nothing is known of the rounds."]


def end_told(results: ResultsController, voice: Voice) -> list[str]:
    """Tell the end of a race at the level of words; a seed only where it is not the one that was promised."""
    if voice.says("all"):
        told = results_told(results)
    elif voice.says("usual"):
        told = [*results.own_result, *(sentence_of(text) for text in _places_told(results))]
    else:
        told = results.own_result
    is_false = FALSE_SEED in seed_text_lines(results.events).plain
    return [*told, sentence_of(FALSE_SEED)] if is_false else told


def _places_told(results: ResultsController) -> list[str]:
    """Tell where each car ended."""
    labels, view = results.labels, results.view
    return [
        f"{ordinal(standing.place)} {labels.names[standing.car]}: "
        f"{_end_text(labels, view, results.figures[standing.car], standing.car)}"
        for standing in view.standings
    ]


def results_told(results: ResultsController) -> list[str]:
    """Tell the own place, where each car ended and what it did, and the moments to watch."""
    labels, view, figures = results.labels, results.view, results.figures
    told = [*results.own_result]
    for standing, text in zip(view.standings, _places_told(results), strict=True):
        number, did = standing.car, figures[standing.car]
        text += f", top speed {did.top_speed}"
        if not view.cars[number].is_legend:
            text += f", {did.heat_paid} Heat paid, {counted(did.spin_outs, 'spin-out')}, "
            text += (
                f"{counted(did.slipstreams, 'slipstream')}, {counted(did.corners_pressed, 'corner')} pressed"
            )
        told.append(sentence_of(text))
    for number, moment in enumerate(results.highlights, start=1):
        told.append(f"Moment {number}: {highlight_text(labels, moment)}")
    return told


def _end_text(labels: RaceLabels, view: RaceView, did: RaceFigures, car: int) -> str:
    if view.cars[car].status == "gave_up":
        return "gave up"
    progress = final_progress(view, did, car)
    beyond = progress - labels.track.finish_line(labels.setup.laps)
    if beyond > 0:
        return f"{counted(beyond, 'space')} beyond the finish line"
    return f"lap {labels.track.lap(progress)}, space {labels.track.space(progress)}"
