"""What a choice that is a list offers, row by row, each with a key of its own and a text that fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.cards import CardName
from heat_core.decisions import ReactChoice, SlipstreamChoice, UnpaidChoice, ValueChoice
from heat_core.sentences.card_words import card_name, cards_text, family_name
from heat_core.view.forecast import forecast_direct, forecast_slipstream, forecast_symbol
from heat_core.view.observation import Observation
from heat_tui.flow.painted_road import worst_state
from heat_tui.keys.table import USUAL, Keys
from heat_tui.race.draft import DONE, Draft, rows_of
from heat_tui.race.presenter import DIRECT_USE, SYMBOL_USES
from heat_tui.race.rows import Row
from heat_tui.race.salvage import Salvage
from heat_tui.words.symbol_text import (
    direct_text,
    full_text,
    short_direct_text,
    short_symbol_text,
    symbol_text,
)

_SIDEWAYS: Final = "left/right"
_ENTER: Final = "Enter"


def reaction_rows(observation: Observation, draft: Draft, keys: Keys = USUAL) -> list[Row]:
    """List what a choice that is a list offers, each row with its key, and how to end it."""
    choice = observation.own.choice
    rows: list[Row] = []
    if isinstance(choice, ValueChoice):
        rows = _value_rows(choice, draft)
    elif isinstance(choice, UnpaidChoice):
        rows = [
            Row(
                key="",
                text=f"drop {cards_text(way)} and flip instead",
                is_usable=True,
                is_selected=draft.row == row,
                number=row,
                short=_short_drop(way),
            )
            for row, way in enumerate(choice.ways)
        ]
    elif draft.salvage is not None:
        rows = _salvage_rows(draft.salvage)
    elif isinstance(choice, SlipstreamChoice):
        rows = [
            _slipstream_row(observation, spaces, draft, keys)
            for spaces in sorted(choice.spaces, reverse=True)
        ]
    elif isinstance(choice, ReactChoice):
        rows = [_react_row(observation, choice, row, draft, keys) for row in rows_of(choice)]
    return _with_own_keys(rows, keys)


def _with_own_keys(rows: Sequence[Row], keys: Keys) -> list[Row]:
    """Give each row a key that no other has: the one for its kind to the first, else a capital letter."""
    left = [*keys.free_letters("race")]
    own = {row.number: row.key for row in rows if row.key == _ENTER}
    for row in sorted(rows, key=lambda row: not row.is_usable):
        if row.number in own:
            continue
        key = row.key
        if not key or key in own.values():
            capital = key.upper()
            key = capital if capital in left else left[0]
            left.remove(key)
        own[row.number] = key
    return [row._replace(key=own[row.number]) for row in rows]


def _react_row(observation: Observation, choice: ReactChoice, row: int, draft: Draft, keys: Keys) -> Row:
    is_selected = draft.row == row
    amount = draft.amount if is_selected else 0
    if row == DONE:
        text = f"not done: {choice.must}" if choice.must else "done"
        short = "not done yet" if choice.must else ""
        return Row(_ENTER, text, True, is_selected, row, short)
    if row >= len(choice.symbols):
        direct = choice.direct[row - len(choice.symbols)]
        speed = amount or max(direct.speeds)
        text = direct_text(observation, direct, speed, is_row=True)
        short = short_direct_text(direct, speed)
        price = None if direct.reason else worst_state(forecast_direct(observation, direct, speed))
        return Row(keys.told(DIRECT_USE), text, not direct.reason, is_selected, row, short=short, price=price)
    use = choice.symbols[row]
    key = keys.told(SYMBOL_USES[use.symbol.kind]) if use.symbol.kind in SYMBOL_USES else ""
    shown = max(use.least, min(amount or use.most, use.most))
    return Row(
        key=key,
        text=symbol_text(observation, choice, row, shown, is_row=True),
        is_usable=bool(use.most),
        is_selected=is_selected,
        number=row,
        short=short_symbol_text(observation, choice, row, shown),
        hint=_SIDEWAYS if is_selected and use.most > use.least else "",
        price=worst_state(forecast_symbol(observation, row, shown)) if use.most else None,
    )


def _slipstream_row(observation: Observation, spaces: int, draft: Draft, keys: Keys) -> Row:
    forecast = forecast_slipstream(observation, spaces)
    outcome = forecast.slowest
    end = f"{observation.track.space(outcome.end)}{full_text(observation, outcome)}"
    further = "" if outcome.end != outcome.aim else f" {spaces} further,"
    text, short = f"slipstream{further} to space {end}", f"slipstream to {end}"
    if not spaces:
        text, short = f"stay on space {end}", ""
    key = keys.told("race.slipstream" if spaces else "race.no_slipstream")
    return Row(key, text, True, draft.spaces == spaces, spaces, short=short, price=worst_state(forecast))


def _value_rows(choice: ValueChoice, draft: Draft) -> list[Row]:
    rows = []
    for number, (card, speeds) in enumerate(zip(choice.cards, choice.speeds, strict=True)):
        others = " ".join(
            f"[{speed}]" if speed == draft.values[number] else f" {speed} " for speed in sorted(speeds)
        )
        text, is_selected = f"{family_name(card)} at {others}", draft.row == number
        hint = _SIDEWAYS if is_selected else ""
        rows.append(Row("", text, True, is_selected, number, hint=hint))
    return rows


def _salvage_rows(salvage: Salvage) -> list[Row]:
    rows = []
    for number, card in enumerate(salvage.kinds):
        text = f"take {salvage.counts[number]} of {salvage.pile.count(card)} × {card_name(card)}"
        is_selected = salvage.row == number
        hint = _SIDEWAYS if is_selected else ""
        rows.append(Row("", text, True, is_selected, number, hint=hint))
    return rows


def _short_drop(way: Sequence[CardName]) -> str:
    if len(way) < 3:
        return f"drop {cards_text(way)}"
    return f"drop {card_name(way[0])} and {len(way) - 1} more"
