"""A linear learner, with numpy alone, that learns to beat the random bot in a minute or two.

    python examples/linear_learner.py --races 1000 --duels 400

Each action has a row of weights; its product with what the driver sees is the action's score, and the scores
of the legal actions become chances (softmax). After each race the weights of what was done grow where more
spaces were gained afterwards than expected, and shrink where fewer were (policy gradient; what is expected is
a linear guess as well). Then the learner drives duels from which it learns nothing more. docs/study.md
explains the environment.
"""

from __future__ import annotations

import os
from typing import Final, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for rows so short, more threads only wait for each other

import click
import numpy as np
from numpy.typing import NDArray

from heat_core.api import load_track
from heat_core.rl import ACTIONS, FEATURES, RaceOptions, TurnRaces

Array = NDArray[np.float32]

DISCOUNT: Final = 0.6
"""What a space is worth that is gained one round later."""
GAIN_SPACES: Final = 10
"""So many spaces gained count as 1."""
FIRST_STEP: Final = 0.02
"""How far the weights move at first; the last race moves them by a tenth of that."""
GUESS_STEP: Final = 0.04

PLACES: Final = {feature.name: place for place, feature in enumerate(FEATURES)}


class Race(NamedTuple):
    """One race as the learner drove it.

    Attributes:
        rows: What it saw before each action and at the end, with a 1 at the end of each row.
        chances: Of each action, before each.
        actions: What it did.
        has_won: Whether it was ahead at the end.
    """

    rows: Array
    chances: Array
    actions: list[int]
    has_won: bool


def column(rows: Array, name: str) -> Array:
    """Give one number of each row in its own unit."""
    return rows[:, PLACES[name]] * FEATURES[PLACES[name]].most


class Learner:
    """Weights, and how they change.

    Attributes:
        weights: A row for each action.
        guess: Turns what is seen into the gain to expect.
    """

    def __init__(self, seed: int) -> None:
        """Begin knowing nothing: every action has the same chance."""
        self.random = np.random.default_rng(seed)
        self.weights = np.zeros((len(ACTIONS), len(FEATURES) + 1), np.float32)
        self.guess = np.zeros(len(FEATURES) + 1, np.float32)

    def drive(self, races: TurnRaces) -> Race:
        """Drive one race to its end."""
        races.reset()
        rows, chances, actions = [], [], []
        while True:
            seen, reward, is_over, is_cut_off, _ = races.last()
            assert seen is not None
            row = np.append(seen["observation"], np.float32(1))
            rows.append(row)
            if is_over or is_cut_off:
                return Race(np.array(rows), np.array(chances), actions, reward > 0)
            scores = np.where(seen["action_mask"] == 1, self.weights @ row, -np.inf)
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            action = int(self.random.choice(len(ACTIONS), p=chance))
            chances.append(chance)
            actions.append(action)
            races.step(action)

    def learn(self, race: Race, step: float) -> None:
        """Make likelier what gained more than expected."""
        gains = -np.diff(column(race.rows, "spaces to the finish")) / GAIN_SPACES
        discounts = DISCOUNT ** np.diff(column(race.rows, "round"))
        for place in range(len(gains) - 2, -1, -1):
            gains[place] += discounts[place] * gains[place + 1]
        rows = race.rows[:-1]
        surprise = gains - rows @ self.guess
        done = np.zeros_like(race.chances)
        done[np.arange(len(race.actions)), race.actions] = 1
        self.weights += step * ((done - race.chances) * surprise[:, None]).T @ rows
        self.guess += GUESS_STEP * surprise @ rows / len(rows)


def interval(won: int, races: int) -> tuple[float, float]:
    """Give Wilson's interval, which holds the true rate 95 times in 100."""
    z = 1.96
    middle = (won + z * z / 2) / (races + z * z)
    half = z / (races + z * z) * (won * (races - won) / races + z * z / 4) ** 0.5
    return middle - half, middle + half


@click.command()
@click.option("--track", default="usa", show_default=True)
@click.option("--races", type=click.IntRange(1), default=1000, show_default=True, help="To learn from.")
@click.option("--duels", type=click.IntRange(1), default=400, show_default=True, help="To be measured by.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(track: str, races: int, duels: int, seed: int) -> None:
    """Learn to drive by races against the random bot, then beat it."""
    options = RaceOptions(load_track(track), ("agent", "random"), laps=1, most_rounds=100)
    environment = TurnRaces(options)
    environment.reset(seed=seed)
    learner = Learner(seed)
    recent: list[bool] = []
    for number in range(1, races + 1):
        race = learner.drive(environment)
        learner.learn(race, FIRST_STEP * (1 - 0.9 * number / races))
        recent.append(race.has_won)
        if number % 100 == 0:
            click.echo(f"{number} races, {np.mean(recent[-100:]):.0%} of the last 100 won")
    won = sum(learner.drive(environment).has_won for _ in range(duels))
    low, high = interval(won, duels)
    click.echo(f"Won {won} of {duels} duels against random: {won / duels:.1%} [{low:.1%}, {high:.1%}]")


if __name__ == "__main__":
    main()
