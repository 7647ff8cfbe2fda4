"""Limits, stated beforehand and never optional."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

TRIALS_PER_ROUND = 8
"""At most so many proposals are tried in one round."""


CALLS_PER_ROUND = 2
"""A model is asked once a round, and once more when its answer cannot be used."""


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

    def worst_case(self, call_tokens: int = 0) -> str:
        """What the loop can cost at most, in words; `call_tokens` is one model call, 0 without a model."""
        bounds = f"at most {self.rounds} rounds and {self.rounds * TRIALS_PER_ROUND} trials"
        if not call_tokens:
            return f"{bounds}, 0 tokens"
        calls = min(self.rounds * CALLS_PER_ROUND, self.tokens // call_tokens)
        return f"{bounds}, {calls} model calls and {calls * call_tokens} tokens"
