"""Questions of many tasks that the store answers together.

Theory of operation. Whoever has a question adds it to those that wait, and then waits for its turn. The
first asks for all that wait, in one go; the others find their answers when their turn comes. What is added
meanwhile waits for the next turn, so that no answer is older than its question. So many who come at once wait
for two ways to the database and back, and not for one each.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Final, Generic, TypeVar

import trio

MOST_TOGETHER: Final = 100
"""How many questions are asked at once: commits wait meanwhile."""

Key = TypeVar("Key")
Answer = TypeVar("Answer")


class _Question(Generic[Answer]):
    """What some tasks want to know.

    Attributes:
        is_answered: Whether one of the others counts.
        answer: None: nothing is known of it.
        error: Why there is no answer.
    """

    def __init__(self) -> None:
        self.is_answered = False
        self.answer: Answer | None = None
        self.error: Exception | None = None


class QueryBatcher(Generic[Key, Answer]):
    """One kind of question, asked by many tasks."""

    def __init__(self, ask: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Answer]]]) -> None:
        """Begin with no question.

        Args:
            ask: Asks about several at once; gives those of which something is known.
        """
        self._ask_store = ask
        self._waiting: dict[Key, _Question[Answer]] = {}
        self._turn = trio.Lock()

    async def ask(self, key: Key) -> Answer | None:
        """Ask about one; None: nothing is known of it.

        Raises:
            Exception: What the store raised; all who asked at once get it.
        """
        question = self._waiting.setdefault(key, _Question())
        async with self._turn:
            while not question.is_answered:  # those who were cancelled may have left many before it
                await self._ask_those_who_wait()
        if question.error is not None:
            raise question.error
        return question.answer

    async def _ask_those_who_wait(self) -> None:
        """Ask for the first of those that wait. A cancellation waits until they are answered."""
        asked = {key: self._waiting.pop(key) for key in list(islice(self._waiting, MOST_TOGETHER))}
        try:
            with trio.CancelScope(shield=True):
                answers = await self._ask_store(list(asked))
        except Exception as error:  # whatever it is, it is for all who asked
            for question in asked.values():
                question.error = error
        else:
            for key, question in asked.items():
                question.answer = answers.get(key)
        for question in asked.values():
            question.is_answered = True
