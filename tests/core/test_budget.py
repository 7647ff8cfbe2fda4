"""The worst case is stated before anything is spent."""

from __future__ import annotations

from reflex_magic.core.budget import Budget


def test_without_a_model_nothing_can_be_spent() -> None:
    assert Budget(rounds=2).worst_case() == "at most 2 rounds and 16 trials, 0 tokens"


def test_the_token_limit_bounds_the_calls() -> None:
    said = Budget(rounds=3, tokens=6000).worst_case(2500)
    assert said == "at most 3 rounds and 24 trials, 2 model calls and 5000 tokens"
    assert Budget(rounds=1, tokens=60000).worst_case(2500).endswith("2 model calls and 5000 tokens")
