"""Cards in plain words: every card of the box has a name, short words and an explanation."""

from __future__ import annotations

import pytest

from heat_core.cards import CATALOGUE, UPGRADES
from heat_core.sentences.card_words import card_label, card_name, explain_card, symbol_words


@pytest.mark.parametrize("card", [*CATALOGUE, *UPGRADES])
def test_every_card_is_named_and_explained(card: str) -> None:
    assert card_name(card)[0].isupper() or card_name(card)[0] in "+01234"
    told = explain_card(card)
    assert told
    for sentence in told:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "{" not in sentence
    assert len(symbol_words(card)) < len(told) + 1


FLIP = "When played, it flips cards from your draw pile until a Speed card appears, which adds to your speed."


@pytest.mark.parametrize(
    ("card", "label", "told"),
    [
        ("4", "4", ("Speed 4.",)),
        ("brakes-2", "Brakes 1/3", ("Speed 1 or 3: you choose when you reveal it.",)),
        (
            "4wd-3",
            "4-wheel drive 0 (flip 1, cool 3)",
            (
                "Speed 0.",
                FLIP,
                "You may cool up to 3 Heat: move it from your hand back to your engine.",
            ),
        ),
        (
            "tyres-4",
            "Tyres 3 (limits -1, cool 2)",
            (
                "Speed 3.",
                "This turn every corner's limit is 1 lower for you.",
                "You may cool up to 2 Heat: move it from your hand back to your engine.",
            ),
        ),
        (
            "start-5",
            "+5",
            ("Speed 5.", "One of the three upgrades that every driver starts with: a 0, a 5 and a Heat."),
        ),
        ("sponsor-3", "Sponsor 1 (slip 2)", ("Speed 1.", "Your slipstream may take you 2 further.")),
        (
            "stress",
            "Stress",
            (FLIP,),
        ),
    ],
)
def test_a_card_is_explained_so(card: str, label: str, told: tuple[str, ...]) -> None:
    assert card_label(card) == label
    assert explain_card(card) == told
