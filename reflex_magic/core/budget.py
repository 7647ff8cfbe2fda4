"""Limits, stated beforehand and never optional."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

TRIALS_PER_ROUND = 8
"""At most so many proposals are tried in one round."""


@dataclass(slots=True)
class Budget:
    """`rounds` of proposals, `tokens` in and out, `seconds` for the loop; None is no time limit."""

    rounds: int = 3
    tokens: int = 6000
    seconds: float | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    started: float = field(default=0.0, repr=False)

    def start(self) -> None:
        """Begin counting seconds."""
        self.started = self.clock()

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self.seconds is not None and self.clock() - self.started > self.seconds

    def worst_case(self, model: bool, prompt_tokens: int, answer_tokens: int) -> str:
        """What the loop can cost at most, in words."""
        trials = self.rounds * TRIALS_PER_ROUND
        if not model:
            return f"at most {self.rounds} rounds, {trials} trials, 0 tokens"
        calls = min(self.rounds, self.tokens // max(prompt_tokens + answer_tokens, 1) or 1)
        spent = min(self.tokens, calls * (prompt_tokens + answer_tokens))
        return f"at most {self.rounds} rounds, {trials} trials, {calls} model calls, {spent} tokens"
