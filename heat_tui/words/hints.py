"""What a first race explains, in words; `heat_tui.flow.lesson` says when.

A hint's text stands alone, for it is spoken in plain mode; what it says of the screen stands apart. All of it
fits a box of five lines. Keys stand in it by the name of their use, as in the table of `heat_tui.keys.table`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Topic: TypeAlias = Literal[
    "gear",
    "cards",
    "stress",
    "react",
    "cooling",
    "boost",
    "adrenaline",
    "slipstream",
    "discarding",
    "order",
    "heat",
    "corner",
    "legends",
    "spin-out",
    "finish",
    "last-round",
    "end",
]


class Hint(NamedTuple):
    """Something explained.

    Attributes:
        title: What it is about.
        text: How it works.
        doing: What to look at on the screen, and what to press.
        is_final: Whether there is none after it.
    """

    title: str
    text: str
    doing: str
    is_final: bool = False


HINTS: Final[dict[Topic, Hint]] = {
    "gear": Hint(
        "Gear",
        "Be furthest ahead after the last lap. Your gear is how many cards you play: one step "
        "up or down is free, two cost 1 Heat.",
        "Left and right choose the gear at the lower right; Enter shifts.",
    ),
    "cards": Hint(
        "Cards",
        "Pick as many cards as your gear. Their sum is how far you drive and your speed in corners.",
        "1-9 pick; the lines below show where you would stop; Enter plays.",
    ),
    "stress": Hint(
        "Stress",
        "Stress in your hand is a gamble: when played, it flips cards from your draw pile until a Speed "
        "card appears, and you drive that far.",
        "The lines below show the possible range.",
    ),
    "react": Hint(
        "React",
        "You have driven. Now you may use what gear and cards still offer, or nothing.",
        "Up and down select, Enter uses. Choose done to move on.",
    ),
    "cooling": Hint(
        "Cooling",
        "Low gears cool before you pay for corners: 1st moves up to three Heat from your hand back to the "
        "engine, 2nd one.",
        "{race.cool} selects it, Enter does it.",
    ),
    "boost": Hint(
        "Boost",
        "Pay 1 Heat, flip a Speed card and drive its value further. It counts as speed in corners.",
        "{race.boost} selects it; the lines below show what can happen.",
    ),
    "adrenaline": Hint(
        "Adrenaline",
        "The last car of the round (the last two of five or more) may drive one more space, at "
        "1 more speed, and cool one more Heat.",
        "{race.adrenaline} selects the space, {race.cool} the cooling; Enter uses it.",
    ),
    "slipstream": Hint(
        "Slipstream",
        "Beside a car or right behind one, you may move two more spaces. That adds no speed, but the "
        "corner lines you cross still count.",
        "{race.slipstream} takes it, {race.no_slipstream} stays; Enter confirms.",
    ),
    "discarding": Hint(
        "Discarding",
        "Discard what you do not want; then you draw back to seven. Heat and Stress stay.",
        "1-9 pick; Enter continues, even with none picked.",
    ),
    "order": Hint(
        "Turn order",
        "Cars drive one after another, the leader first. Cars ahead of you when the cards are chosen drive "
        "before you, even if the order on the road changes during the round.",
        "The turns line at the right shows it.",
    ),
    "heat": Hint(
        "Heat",
        "You paid Heat. It left the engine for your discard pile, and will come back as a dead card "
        "in your hand.",
        "The gauge at the lower right shows what is left.",
    ),
    "corner": Hint(
        "Corner",
        "You crossed a corner line. Each point of speed above its limit costs 1 Heat: plan for the next one.",
        "The road above your cards shows the lines with their limits.",
    ),
    "legends": Hint(
        "Legends",
        "They pay no Heat. A card each round moves them: with speed 15, diamond 2 a Legend drives 15, but "
        "stops 2 short of a corner; from the Legends line on it crosses at the limit plus 2.",
        "The log ({race.log}) shows the card.",
    ),
    "spin-out": Hint(
        "Spin-out",
        "Too little Heat: back before the corner, in 1st gear, with 1 Stress in hand (3rd and 4th "
        "gear bring 2). The Heat paid is in the discard pile and is drawn again later.",
        "",
    ),
    "finish": Hint(
        "Finish",
        "The finish is near. The round in which a car crosses it is the last; then the car furthest ahead "
        "wins. Heat left over is worth nothing.",
        "The lines below show when you would cross it.",
    ),
    "last-round": Hint(
        "Last round",
        "A car has crossed the finish line, so this round is the last. The cars behind still drive their "
        "turn; then whoever is furthest ahead has won, over the line or not.",
        "",
    ),
    "end": Hint(
        "The end",
        "The race is over: whoever is furthest ahead has won. Hints are off now; the settings turn them on "
        "again.",
        "Enter shows the results. New race at Home begins another.",
        is_final=True,
    ),
}

ALSO: Final[dict[Topic, str]] = {
    "stress": "Stress counts as the next Speed card of your draw pile.",
    "adrenaline": "Adrenaline, as you are at the back: 1 more space ({race.adrenaline}), 1 more Heat to "
    "cool ({race.cool}).",
}
"""What is said of a thing right away where another hint stands that tells how to answer at all."""

FINISH_OF_EACH: Final = HINTS["finish"]._replace(
    text="The finish is near. A car that crosses it has finished, and the others continue; of the cars that "
    "cross it in one round, the one furthest ahead comes first.",
)
"""Where cars race on after the first has finished."""

_ENDS: Final = {
    "own": "You crossed the finish line, which made that round the last.",
    "other": "A car crossed the finish line, which made that round the last.",
}


def end_hint(first_over_the_line: Literal["own", "other"] | None) -> Hint:
    """Say how the race came to its end.

    Args:
        first_over_the_line: Whose crossing made the round the last; None: nothing did.
    """
    hint = HINTS["end"]
    if first_over_the_line is None:
        return hint
    text = hint.text.removeprefix("The race is over: whoever is furthest ahead has won.")
    return hint._replace(
        text=f"{_ENDS[first_over_the_line]} Whoever is furthest ahead after it has won.{text}"
    )


def spin_out_hint(stress: int, *, has_heat_in_hand: bool) -> Hint:
    """Say what a spin-out has brought, and what can be done now.

    Args:
        stress: So much of it came into the hand.
    """
    hint = HINTS["spin-out"]
    if stress > 1:
        words = f"{stress} Stress in hand (1st and 2nd gear bring 1)"
        hint = hint._replace(text=hint.text.replace("1 Stress in hand (3rd and 4th gear bring 2)", words))
    doing = (
        "1st gear cools Heat in hand: {race.cool} in phase 5."
        if has_heat_in_hand
        else "1st gear cools it then."
    )
    return hint._replace(doing=doing)


def with_more(hint: Hint, topic: Topic) -> Hint:
    """Add a word about something else that comes up at the same moment."""
    return hint._replace(text=f"{hint.text} {ALSO[topic]}")
