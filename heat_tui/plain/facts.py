"""What one must know to choose, a sentence each: own place, car, next corner, hand."""

from __future__ import annotations

from heat_core.decisions import CardsChoice, DiscardChoice, GearChoice
from heat_core.race.setup import RaceSetup
from heat_core.sentences.card_words import cards_text
from heat_core.sentences.events import gear_name
from heat_core.text import counted, ordinal
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView, RaceView
from heat_tui.plain.labels import spoken_names
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import sentence_of
from heat_tui.words.wording import next_corner_line


def standing_sentence(view: RaceView, setup: RaceSetup, seat: int, who: str = "You are") -> str:
    """Say a seat's place and how far behind the leader, or before the next it is.

    `You are 3rd, 12 spaces behind Ben.`

    Args:
        who: With its verb.
    """
    place = view.ranking.index(seat) + 1
    other = view.ranking[1 if place == 1 else 0] if len(view.ranking) > 1 else seat
    text = f"{who} {ordinal(place)}"
    if other == seat or not view.cars[seat].is_on_track or not view.cars[other].is_on_track:
        return f"{text}."
    return f"{text}, {gap_text(view.cars[seat], view.cars[other])} {spoken_names(setup)[other]}."


def gap_text(car: CarView, other: CarView) -> str:
    """Say how far a car is from another one whose name follows: `3 spaces behind`, `level with`."""
    gap = car.progress - other.progress
    if not gap:
        return "level with"
    return f"{counted(abs(gap), 'space')} {'ahead of' if gap > 0 else 'behind'}"


def car_sentence(observation: Observation) -> str:
    """Say lap, space, gear and engine of the own car."""
    car = observation.own_car
    lap = f"Lap {car.lap} of {observation.setup.laps}" if car.lap else "On the grid"
    return f"{lap}, space {car.space}, {gear_name(car.gear)} gear, engine {car.engine}."


def corner_sentence(observation: Observation) -> str:
    """Say how far the next corner line is, and its limit."""
    return sentence_of(next_corner_line(observation).text)


def hand_sentence(observation: Observation) -> str:
    """Name the cards of the own hand, and those of them that lie face down."""
    hand, face_down = f"Hand: {cards_text(observation.own.hand)}.", observation.own.face_down
    return f"{hand} Played, face down until your turn: {cards_text(face_down)}." if face_down else hand


def facts_told(observation: Observation, voice: Voice) -> list[str]:
    """Say what the open choice needs of it, as far as it is news."""
    seat, choice = observation.own.seat, observation.own.choice
    standing = (seat, "standing"), standing_sentence(observation.view, observation.setup, seat)
    car = (seat, "car"), car_sentence(observation)
    corner = (seat, "corner"), corner_sentence(observation)
    hand = (seat, "hand"), hand_sentence(observation)
    match choice:
        case GearChoice():
            return [voice.fresh(*fact) for fact in (standing, car, corner, hand)]
        case CardsChoice():
            known = [voice.first(*fact) for fact in (standing, car)]
            return [*known, voice.changed(*corner), voice.changed(*hand)]
        case DiscardChoice():
            return [voice.fresh(*fact) for fact in (corner, hand)]
        case _:
            return []
