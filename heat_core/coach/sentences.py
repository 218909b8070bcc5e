"""The sentence of an advice, kind by kind: the best choice, what it leads to, how the next one compares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from heat_core.coach.prospects import LEAST_SPACES, Prospect, Prospects
from heat_core.coach.wording import (
    added_text,
    corner_ahead_text,
    end_text,
    move_text,
    percent,
    played_text,
    spaces_text,
    spin_out_text,
    worse_text,
)
from heat_core.data.facts import SymbolKind
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.planner.own_turn import Play
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.upgrade_worths import worths_in
from heat_core.planner.value_table import ValueTable
from heat_core.planner.weighing import Weighed, WeighedPlay, Weighing
from heat_core.race import commands as c
from heat_core.rules.offers import DirectUse
from heat_core.sentences.card_words import card_label, card_name, symbol_word
from heat_core.sentences.events import choice_text, gear_name, heat_text
from heat_core.text import listed
from heat_core.view.forecast import (
    forecast_direct,
    forecast_end_of_react,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
    forecast_values,
)
from heat_core.view.observation import Observation
from heat_core.view.odds import own_flip_odds


class _Compared(NamedTuple):
    """A choice as it is compared with another.

    Attributes:
        name: As the subject of a sentence.
    """

    name: str
    turns: float
    prospect: Prospect


class Sentences:
    """Says what was weighed."""

    def __init__(
        self, observation: Observation, table: ValueTable, weighing: Weighing, weighed: Sequence[Weighed]
    ) -> None:
        """Begin with the choices, the best first."""
        self._observation = observation
        self._weighing = weighing
        self._weighed = weighed
        self._prospects = Prospects(observation, table, weighing.turn)

    def of(self, choice: Choice | None) -> str:
        """Say the best choice and why."""
        sentence: str = _SENTENCES[type(choice)](self, choice)
        return f"{sentence[:1].upper()}{sentence[1:]}."

    def _gear(self, choice: GearChoice) -> str:
        plays: dict[int, WeighedPlay] = {}
        for each in sorted(self._weighing.plays, key=lambda each: each.turns):
            plays.setdefault(each.play.gear, each)
        gears = [each.command.gear for each in self._weighed if isinstance(each.command, c.ShiftGear)]
        best = gears[0]
        if best not in plays:
            return f"{gear_name(best)} gear: your hand is cluttered, so the car does not move"
        heat = choice.heat_of(best)
        shift = f"{gear_name(best)} gear for {heat_text(heat)}" if heat else f"{gear_name(best)} gear"
        first = self._compared("", plays[best])
        told = (
            f"{shift}, play {self._played(plays[best].play)}: {move_text(self._observation, first.prospect)}"
        )
        other = next((gear for gear in gears[1:] if gear in plays), None)
        if other is None:
            return told
        name = f"the best of {gear_name(other)} gear ({self._played(plays[other].play)})"
        return f"{told}; {self._worse(first, self._compared(name, plays[other]))}"

    def _cards(self, choice: CardsChoice) -> str:
        if choice.is_cluttered:
            return "play nothing: your hand is cluttered, so the car does not move"
        plays = sorted(self._weighing.plays, key=lambda each: each.turns)
        first = self._compared("", plays[0])
        told = f"play {self._played(plays[0].play)}: {move_text(self._observation, first.prospect)}"
        other = next((each for each in plays if each.play.cards != plays[0].play.cards), None)
        if other is None:
            return told
        name = f"playing {self._played(other.play)}"
        return f"{told}; {self._worse(first, self._compared(name, other))}"

    def _compared(self, name: str, weighed: WeighedPlay) -> _Compared:
        return _Compared(name, weighed.turns, self._prospects.of_play(weighed.play))

    def _played(self, play: Play) -> str:
        return played_text(self._prospects.cards_of(play))

    def _worse(self, best: _Compared, other: _Compared) -> str:
        spaces = (other.turns - best.turns) * SPACES_A_TURN
        reason = self._prospects.reason(best.prospect, other.prospect, spaces)
        return worse_text(self._observation, other.name, spaces, reason, best.prospect, other.prospect)

    def _next(self, told: str) -> str:
        """Add how the next choice compares, where there is one."""
        if len(self._weighed) < 2:
            return told
        best, other = self._weighed[:2]
        first = _Compared("", best.turns, self._foreseen(best.command))
        name = self._name(other.command)
        return f"{told}; {self._worse(first, _Compared(name, other.turns, self._foreseen(other.command)))}"

    def _foreseen(self, command: c.Command) -> Prospect:
        """Work out what a choice leads to once the cards have turned up."""
        observation = self._observation
        match command:
            case c.ChooseValue():
                forecast = forecast_values(observation, command.values)
            case c.DropUnpaid():
                forecast = forecast_unpaid(observation, command.cards)
            case c.Slipstream():
                forecast = forecast_slipstream(observation, command.spaces)
            case c.UseSymbol() if (card := self._direct(command)) is not None:
                forecast = forecast_direct(observation, card, command.amount)
            case c.UseSymbol():
                forecast = forecast_symbol(observation, command.number, command.amount)
            case _:
                forecast = forecast_end_of_react(observation)
        prospect = self._prospects.of_forecast(forecast)
        if isinstance(command, c.Slipstream):
            return prospect._replace(slipstream=0.0, slipstream_spaces=0.0)  # there is no second one
        return prospect

    def _react_choice(self) -> ReactChoice:
        choice = self._observation.own.choice
        assert isinstance(choice, ReactChoice)
        return choice

    def _direct(self, command: c.UseSymbol) -> DirectUse | None:
        """Give the card of the hand that a command plays, None where it uses a symbol."""
        choice = self._react_choice()
        if command.number < len(choice.symbols):
            return None
        return next(use for use in choice.direct if use.card in command.cards)

    def _name(self, command: c.Command) -> str:
        """Name a choice as the subject of a sentence."""
        match command:
            case c.ChooseValue():
                return choice_text(command)
            case c.DropUnpaid():
                return f"dropping {added_text(command.cards)}"
            case c.Slipstream():
                return f"a slipstream of {command.spaces}" if command.spaces else "no slipstream"
            case c.UseSymbol() if (card := self._direct(command)) is not None:
                return f"{card_name(card.card)} played now"
            case c.UseSymbol():
                symbol = self._react_choice().symbols[command.number].symbol
                return _USES.get(symbol.kind, symbol_word(symbol.kind, command.amount))
            case _:
                return "using nothing more"

    def _order(self, command: c.Command) -> str:
        """Say a choice as what to do."""
        match command:
            case c.ChooseValue():
                return f"choose {self._name(command)}"
            case c.DropUnpaid():
                return f"drop {added_text(command.cards)}"
            case c.Slipstream() if command.spaces:
                return f"slipstream {command.spaces}"
            case c.UseSymbol() if (card := self._direct(command)) is not None:
                return f"play {card_name(card.card)} now"
            case _:
                return self._name(command).removeprefix("a ").replace("using", "use")

    def _moves(self, _: Choice) -> str:
        """Say a choice that moves the car, or lets it stay."""
        best = self._weighed[0].command
        return self._next(f"{self._order(best)}: {end_text(self._observation, self._foreseen(best))}")

    def _reactions(self, choice: ReactChoice) -> str:
        best = self._weighed[0].command
        if isinstance(best, c.EndReact):
            return self._end_of_react()
        assert isinstance(best, c.UseSymbol)
        if self._direct(best) is not None:
            return self._moves(choice)
        use = choice.symbols[best.number]
        word = symbol_word(use.symbol.kind, best.amount)
        if use.symbol.kind == "boost":
            odds = own_flip_odds(self._observation, 1)
            flips = listed([f"{gain} ({percent(chance)})" for gain, chance in odds.items()], "or")
            if len(odds) == 1:
                flips = str(*odds)
            price = f" for {heat_text(use.heat)}" if use.heat else ""
            return self._next(f"boost{price}: the flip adds {flips}")
        if len(self._weighed) < 2:
            must = choice.must and use.symbol.kind in ("heat", "scrap")
            return f"{word}: it has to be done" if must else f"{word}: it costs nothing"
        return self._moves(choice)

    def _end_of_react(self) -> str:
        """Say why nothing more is used."""
        if len(self._weighed) < 2:
            return "use nothing more: nothing else can be used"
        best, other = self._weighed[:2]
        name, prospect = self._name(other.command), self._foreseen(other.command)
        told = f"no {name.removeprefix('a ')}" if name in _USES.values() else "use nothing more"
        stop = self._foreseen(best.command)
        spaces = (other.turns - best.turns) * SPACES_A_TURN
        if prospect.spin_outs > stop.spin_outs and spaces >= LEAST_SPACES:
            return f"{told}: {name} {spin_out_text(prospect)} and is {_worse_by(spaces)}"
        return self._next(f"{told}: {end_text(self._observation, stop)}")

    def _discards(self, choice: DiscardChoice) -> str:
        best, *others = self._weighed
        assert isinstance(best.command, c.Discard)
        ahead = corner_ahead_text(self._observation)
        told = f"{_discarded(best.command, verb='discard')}: {ahead}"
        if not others:
            return told
        assert isinstance(others[0].command, c.Discard)
        spaces = (others[0].turns - best.turns) * SPACES_A_TURN
        name = _discarded(others[0].command, verb="discarding")
        return f"{told}; {name} is {_worse_by(spaces)}"

    def _picks(self, choice: PickChoice) -> str:
        best, *others = self._weighed
        assert isinstance(best.command, c.PickUpgrade)
        told = f"pick {card_label(best.command.card)}: it {self._saved(-best.turns)}"
        if not others:
            return told
        assert isinstance(others[0].command, c.PickUpgrade)
        return f"{told}; {card_label(others[0].command.card)} {self._saved(-others[0].turns)}"

    def _swaps(self, choice: SwapChoice) -> str:
        best = self._weighed[0]
        assert isinstance(best.command, c.SwapUpgrade)
        if best.command.give is None or best.command.take is None:
            return "swap nothing: no upgrade that is left is better than yours"
        swap = f"{card_label(best.command.give)} for {card_label(best.command.take)}"
        return f"swap {swap}: it {self._saved(-best.turns)}"

    def _saved(self, turns: float) -> str:
        return worths_in(self._observation.setup).gained_text(turns)


def _worse_by(spaces: float) -> str:
    return "about as good" if spaces < LEAST_SPACES else f"{spaces_text(spaces)} worse"


def _discarded(command: c.Discard, *, verb: str) -> str:
    told = f"{verb} {added_text(command.cards)}" if command.cards else ""
    if command.refresh:
        refresh = (
            f"{'putting' if verb == 'discarding' else 'put'} {added_text(command.refresh)} on the draw pile"
        )
        return f"{told} and {refresh}" if told else refresh
    return told or ("keeping the hand" if verb == "discarding" else "keep the hand")


_USES: Final[dict[SymbolKind, str]] = {"boost": "a boost", "draft": "a draft"}
"""The symbols that have a name to be the subject of a sentence."""

# Any: each function takes a choice of its own, which a dict cannot say.
_SENTENCES: Final[dict[type, Callable[[Sentences, Any], str]]] = {
    GearChoice: Sentences._gear,
    CardsChoice: Sentences._cards,
    ValueChoice: Sentences._moves,
    ReactChoice: Sentences._reactions,
    UnpaidChoice: Sentences._moves,
    SlipstreamChoice: Sentences._moves,
    DiscardChoice: Sentences._discards,
    PickChoice: Sentences._picks,
    SwapChoice: Sentences._swaps,
}
