"""Limits, stated beforehand and never optional."""

from __future__ import annotations

from dataclasses import dataclass

TRIALS_PER_ROUND = 8
"""At most so many proposals are tried in one round."""


CALLS_PER_ROUND = 2
"""A model is asked once a round, and once more when its answer cannot be used."""


@dataclass(frozen=True, slots=True)
class Budget:
    """`rounds` of proposals, and `tokens` in and out. Seconds are bounded for each run (``--timeout``)."""

    rounds: int = 3
    tokens: int = 6000

    def worst_case(self, call_tokens: int = 0) -> str:
        """What the loop can cost at most, in words; `call_tokens` is one model call, 0 without a model."""
        bounds = f"at most {self.rounds} rounds and {self.rounds * TRIALS_PER_ROUND} trials"
        if not call_tokens:
            return f"{bounds}, 0 tokens"
        calls = min(self.rounds * CALLS_PER_ROUND, self.tokens // call_tokens)
        return f"{bounds}, {calls} model calls and {calls * call_tokens} tokens"
