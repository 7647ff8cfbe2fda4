"""What the result tells of the keys of a join is what comparing the keys tells."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_magic.observe.meeting import is_unique, told_by_result
from reflex_magic.observe.merging import _matches
from tests.observe.stepper import run_body

KEYS: dict[str, Callable[[np.ndarray], Any]] = {
    "int": lambda n: n,
    "int8": lambda n: n.astype("int8") - 100,
    "sparse int": lambda n: n * 1_000_003,
    "float with gaps": lambda n: np.where(n == 3, np.nan, n / 2),
    "text with gaps": lambda n: pd.array([None if i == 3 else f"k{i}" for i in n], dtype="string"),
    "Int64 with gaps": lambda n: pd.array([None if i == 3 else i for i in n], dtype="Int64"),
    "dates": lambda n: pd.Timestamp("2024-01-01") + pd.to_timedelta(n, "D"),
    "truth": lambda n: n % 2 == 0,
}

BROUGHT: dict[str, Callable[[int], Any]] = {
    "int": np.arange,
    "float": lambda n: np.arange(n) / 2,
    "float with gaps": lambda n: np.where(np.arange(n) % 2, np.nan, 1.0),
    "truth": lambda n: np.arange(n) > 1,
    "dates": lambda n: pd.date_range("2024-01-01", periods=n),
    "text": lambda n: list("abcdefgh"[:n]),
}


@pytest.mark.parametrize("how", ["left", "inner", "right", "outer"])
@pytest.mark.parametrize("kind", KEYS)
def test_the_result_tells_what_the_keys_tell(kind: str, how: str) -> None:
    rng, told = np.random.default_rng(7), 0
    for _, brought in itertools.product(range(12), BROUGHT):
        sizes, kinds = rng.integers(0, 7, 2), rng.integers(3, 9, 2)
        left, right = (
            pd.DataFrame({"k": KEYS[kind](rng.integers(0, c, n))}) for c, n in zip(kinds, sizes, strict=True)
        )
        right["v"] = BROUGHT[brought](len(right))
        left["v"] = 1
        out = left.merge(right, on="k", how=how)
        left_key, right_key = pd.Index(left["k"]), pd.Index(right["k"])
        facts = told_by_result(how, left, right, out, (right_key,), {"v": "v_y"})
        if facts is None:
            continue
        told += 1
        known = _matches(_Values(left_key), _Values(right_key))
        assert facts == {name: known[name] for name in facts}, (left, right)
    assert told > 10 or how in ("right", "outer")


class _Values:
    """A key, as far as `_matches` asks."""

    def __init__(self, values: Any) -> None:
        self.values = values
        self.columns = (values,)


@pytest.mark.parametrize(
    ("keys", "unique"),
    [
        ([3, 1, 2], True),
        ([3, 1, 3], False),
        ([], True),
        ([0, 2**62, 5], True),
        ([-(2**62), 2**62, 5, 5], False),
        (np.array([-128, 127, 0], "int8"), True),
        (np.array([-128, 127, -128], "int8"), False),
        (np.array([2**63 + 1, 2**63 + 2, 2**63 + 1], "uint64"), False),
        (np.array([2**63 + 1, 2**63 + 2], "uint64"), True),
        ([1.5, None, None], False),
        (["a", "b"], True),
        (["b", "a", "b"], False),
    ],
)
def test_is_unique(keys: Any, unique: bool) -> None:
    assert is_unique(pd.Index(keys)) is unique


def test_a_lookup_with_composite_key_compares_no_keys_where_the_count_tells() -> None:
    setup = (
        "a = pd.DataFrame({'s': [1, 1, 2, 3], 'm': [1, 2, 1, 1], 'v': [1.0, 2.0, 3.0, 4.0]})\n"
        "b = pd.DataFrame({'s': [1, 1, 2], 'm': [1, 2, 1], 'w': [5, 6, 7]})\n"
    )
    (op,) = [o for o in run_body("m = a.merge(b, on=['s', 'm'], how='left')", setup).operations if o.kind == "merge"]
    assert (op.facts["left_multiplied"], op.facts["left_unmatched"]) == (0, 1)
    assert "right_repeats" not in op.facts
