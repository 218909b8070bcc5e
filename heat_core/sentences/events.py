"""Events in plain sentences, for the log, for records and for a screen reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never

from heat_core.cards import CATALOGUE, STRESS
from heat_core.data.legends import LEGEND_CARDS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.sentences.card_words import card_label, card_name, cards_text
from heat_core.sentences.weather import road_word, weather_text
from heat_core.text import ordinal
from heat_core.track import Track

_MOVED = {
    "cards": "drives",
    "adrenaline": "uses adrenaline:",
    "boost": "boosts:",
    "direct": "drives further",
    "accelerate": "accelerates",
    "draft": "drafts",
    "unpaid": "drives again",
    "slipstream": "slipstreams",
    "legend": "drives",
}

_PLACES: Final[dict[e.HeatPlace, str]] = {
    "engine": "the engine",
    "hand": "the hand",
    "discard_pile": "the discard pile",
    "draw_pile": "the draw pile",
}
_REASONS: Final[dict[e.SponsorReason, str]] = {
    "start": "at the start",
    "press": "from the press",
    "slipstream": "for the slipstream",
    "event": "from the event",
}

_GEARS = ("neutral", "1st", "2nd", "3rd", "4th")


def gear_name(gear: int) -> str:
    """Say a gear in [1, 5) as an ordinal: `3rd`."""
    return _GEARS[gear]


def heat_text(number: int) -> str:
    """Say an amount of Heat."""
    return f"{number} Heat"


def parts_text(parts: Sequence[e.Part]) -> str:
    """Say what a sum is made of: `4+3+Stress 2`."""
    words = []
    for part in parts:
        words.append(f"{_part_word(part.rule)} {part.amount}".strip())
    return " + ".join(words)


def _part_word(rule: str) -> str:
    """Name what a line of a sum comes from, "" for cards that the number is word enough for."""
    if rule == STRESS:
        return card_name(rule)
    return "" if rule in CATALOGUE else {"unpaid": "flip"}.get(rule, rule)


def flip_reason(event: e.CardFlipped | e.FlipFailed) -> str:
    """Say what a card is flipped for: `the boost`, `Stress`."""
    match event.reason:
        case "card":
            return card_name(event.source)
        case "boost":
            return "the boost"
        case "unpaid":
            return "an unpaid card"
        case _:
            assert_never(event.reason)


def limit_text(parts: Sequence[e.Part], limit: int, words: Mapping[str, str] = MappingProxyType({})) -> str:
    """Say what a limit is made of: `limit 4`, or `limit 3 + 1 road token = 4`.

    Args:
        words: Shorter ones for the rules behind the parts.
    """
    changes = parts[1:]
    if not changes:
        return f"limit {limit}"
    told = [
        f"{'−' if part.amount < 0 else '+'} {abs(part.amount)} {words.get(part.rule, part.rule)}"
        for part in changes
    ]
    return f"limit {parts[0].amount} {' '.join(told)} = {limit}"


def owed_text(event: e.CornerChecked) -> str:
    """Say what a corner asks for and why: `9 − 3 = 6 Heat`, `9 − 3 + 1 overheat = 7 Heat`."""
    over = event.speed - event.limit
    more = f" + {event.owed - over} overheat" if event.owed != over else ""
    return f"{event.speed} − {event.limit}{more} = {heat_text(event.owed)}"


def seed_text(seed: str) -> str:
    """Say a seed: any text, so what would not print is spelled out."""
    return seed if seed.isprintable() and seed.strip() == seed != "" else ascii(seed)


def space_text(track: Track, progress: int) -> str:
    """Say a place: the number of its space."""
    return str(track.space(progress))


def choice_text(command: c.Command | None) -> str:
    """Say what was chosen; empty where it is hidden, or shown by the events that follow."""
    match command:
        case c.ShiftGear():
            return f"{gear_name(command.gear)} gear"
        case c.PlayCards():
            return cards_text(command.cards)
        case c.ChooseValue():
            return f"speed {' and '.join(str(value) for value in command.values)}"
        case c.EndReact():
            return "use nothing more"
        case c.Slipstream():
            return f"slipstream {command.spaces} spaces" if command.spaces else "no slipstream"
        case c.Discard():
            return f"discard {cards_text(command.cards)}"
        case c.PickUpgrade():
            return card_name(command.card)
        case c.SwapUpgrade() if command.give is None or command.take is None:
            return "no swap"
        case _:
            return ""


def sentence(event: e.Event, names: Sequence[str], track: Track) -> str | None:
    """Tell an event in one plain sentence without its full stop.

    Args:
        names: Of the cars, by number.

    Returns:
        None for what is not shown (a phase entered, a decision opened).
    """
    match event:
        case e.RaceSetUp():
            told = f"shown after the {event.told_after}"
            return f"The seed of all shuffles is {told}; its hash is {event.seed_commitment}"
        case e.GridDrawn():
            return "Starting grid, pole first: " + ", ".join(names[car] for car in event.order)
        case e.RoundStarted():
            return f"Round {event.round}"
        case e.ChoiceMade() if event.by_clock:
            told = f"Time ran out for {names[event.seat]}, so the clock chose"
            return f"{told}: {chosen}" if (chosen := choice_text(event.command)) else told
        case e.GearShifted():
            if event.before == event.gear:
                return f"{names[event.seat]} stays in {gear_name(event.gear)} gear"
            return f"{names[event.seat]} shifts to {gear_name(event.gear)} gear"
        case e.HandCluttered():
            return (
                f"{names[event.seat]}'s hand is cluttered ({cards_text(event.hand)}) and cannot fill "
                f"{gear_name(event.gear)} gear: the car does not move, now in 1st gear"
            )
        case e.CardsRevealed():
            return f"{names[event.seat]} plays {cards_text(event.cards)}"
        case e.LegendCardTurned():
            entries = LEGEND_CARDS[event.card]
            return "Legend card: " + "; ".join(
                f"{helmet} speed {speed}, diamond {diamond}" for helmet, (diamond, speed) in entries.items()
            )
        case e.RaceEnded():
            return _race_ended(event, names)
        case e.CarFinished():
            return f"{names[event.car]} crosses the finish line"
        case e.CarLeft():
            return f"{names[event.car]} leaves the track in {ordinal(event.place)} place"
        case e.CarOut():
            did = "gives up" if event.reason == "gave_up" else "is out of the race after spinning out"
            return f"{names[event.car]} {did}"
        case _:
            return _turn_sentence(event, names, track)


def _turn_sentence(event: e.Event, names: Sequence[str], track: Track) -> str | None:
    """Tell what happens to one car in its turn, or to its cards."""
    match event:
        case e.CardFlipped():
            found = "" if event.value else ": not a Speed card"
            return f"{names[event.seat]} flips {card_name(event.card)} for {flip_reason(event)}{found}"
        case e.FlipFailed():
            return f"{names[event.seat]} has no Speed card left to flip for {flip_reason(event)}"
        case e.CarMoved():
            return _car_moved(event, names, track)
        case e.HeatPaid() if event.reason != "corner":
            why = " and ".join(card_name(part.rule) for part in event.parts)
            return f"{names[event.seat]} pays {heat_text(event.amount)} ({why})"
        case e.HeatCooled():
            return f"{names[event.seat]} cools {heat_text(event.amount)}"
        case e.CornerChecked():
            limit = limit_text(event.limit_parts, event.limit)
            bill = f"corner {event.corner + 1}, {limit}, at speed {event.speed}"
            if not event.owed:
                return f"{names[event.seat]} takes {bill}"
            return f"{names[event.seat]} takes {bill}: {owed_text(event)} owed, {event.paid} paid"
        case e.SpunOut():
            return (
                f"{names[event.seat]} spins out and goes back to {space_text(track, event.end)}: "
                f"{event.stress} Stress, 1st gear"
            )
        case e.CardsDiscarded() if event.hand:
            return f"{names[event.seat]} discards {cards_text(event.hand)}"
        case e.PileReshuffled():
            return f"{names[event.seat]} reshuffles {event.cards} cards"
        case _:
            return _garage_or_card_sentence(event, names)


def _garage_or_card_sentence(event: e.Event, names: Sequence[str]) -> str | None:
    """Tell what happens in the garage, with the weather, or to a seat's cards."""
    match event:
        case e.UpgradesDealt():
            order = ", ".join(names[seat] for seat in event.order)
            offered = ", ".join(card_label(card) for card in event.cards)
            return f"The garage offers {offered}; order of picking: {order}"
        case e.UpgradePicked():
            return f"{names[event.seat]} picks {card_label(event.card)}"
        case e.UpgradeSwapped():
            return f"{names[event.seat]} swaps {card_label(event.give)} for {card_label(event.take)}"
        case e.GarageClosed():
            return "The garage closes"
        case e.WeatherDrawn():
            return f"Weather: {event.weather}; {weather_text(event.weather)}"
        case e.RoadsDrawn():
            tokens = [
                f"corner {corner} {road_word(road)}"
                for corner, road in enumerate(event.roads, start=1)
                if road is not None
            ]
            return f"Road tokens: {', '.join(tokens)}" if tokens else None
        case e.SponsorshipGained():
            where = "" if event.corner is None else f" at corner {event.corner + 1}"
            return f"{names[event.seat]} gains a Sponsorship card {_REASONS[event.reason]}{where}"
        case e.LapCompleted():
            return f"{names[event.car]} completes lap {event.lap}"
        case _:
            return _card_sentence(event, names[event.seat]) if isinstance(event, _CardEvent) else None


_CardEvent: TypeAlias = (
    e.SponsorshipsSpent
    | e.CardPlayedDirectly
    | e.StressReduced
    | e.HeatSuperCooled
    | e.CardScrapped
    | e.CardsSalvaged
    | e.CardsDropped
    | e.CardsRefreshed
    | e.HeatLost
)


def _card_sentence(event: _CardEvent, name: str) -> str:
    """Tell what happens to a seat's cards."""
    match event:
        case e.SponsorshipsSpent():
            return f"{name} uses up {cards_text(event.cards)}"
        case e.CardPlayedDirectly():
            return f"{name} plays {card_label(event.card)} from the hand"
        case e.StressReduced():
            return f"{name} discards {event.amount} Stress"
        case e.HeatSuperCooled():
            return f"{name} cools {event.amount} Heat from the discard pile"
        case e.CardScrapped():
            return f"{name} scraps {card_name(event.card)}"
        case e.CardsSalvaged():
            return f"{name} salvages {cards_text(event.cards)}: shuffled into the draw pile"
        case e.CardsDropped():
            return f"{name} cannot pay for {cards_text(event.cards)}: a flip replaces each such card"
        case e.CardsRefreshed():
            return f"{name} refreshes {cards_text(event.cards)}: back on top of the draw pile"
        case e.HeatLost():
            return f"{name} loses 1 Heat from {_PLACES[event.place]}"
        case _:
            assert_never(event)


def _car_moved(event: e.CarMoved, names: Sequence[str], track: Track) -> str:
    start, end = space_text(track, event.start), space_text(track, event.end)
    name = names[event.car]
    if event.start == event.end:
        return f"{name} stays on space {start}"
    text = f"{name} {_MOVED[event.reason]} {start} → {end}"
    meant = event.start + event.spaces
    if meant != event.end and event.reason != "legend":
        text += f" ({space_text(track, meant)} was full)"
    return text


def _race_ended(event: e.RaceEnded, names: Sequence[str]) -> str:
    reason = {
        "finished": "The race is over",
        "gave_up": "The race is over: everyone has given up",
        "spun_out": "The race is over: everyone is out after spinning out",
        "gave_up_or_spun_out": "The race is over: everyone has given up or is out",
        "abandoned": "The race was abandoned",
    }[event.reason]
    places = ", ".join(f"{ordinal(standing.place)} {names[standing.car]}" for standing in event.standings)
    return f"{reason}: {places}{seed_clause(event)}"


def seed_clause(event: e.RaceEnded) -> str:
    """Say the seed as the sentence on the race's end closes with it, "" where it is not told."""
    return "" if event.seed is None else f"; the seed was {seed_text(event.seed)}"
