"""What the result of a join tells of its keys, where that is enough: comparing all keys takes as long as joining."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe.kind import Facts

DENSE = 8
"""Whole numbers fill their range well enough when it is this many times as long as there are."""


def told_by_result(how: str, left: Any, right: Any, out: Any, key: Any, named: Mapping[Any, str]) -> Facts | None:
    """How the rows met, where no row of the left side came out more than once; None where the keys must be compared.

    Parameters
    ----------
    key
        The columns, as indexes, that are the key of the right side.
    named
        What the other columns of the right side are called in `out`.
    """
    if how == "left" and len(out) == len(left):
        unmatched = _gaps(right, out, named)  # each row came out once, with or without a partner
    elif how == "inner" and any(map(is_unique, key)):
        unmatched = len(left) - len(out)  # a partner is the only one
    else:
        return None
    return None if unmatched is None else {"left_multiplied": 0, "left_unmatched": unmatched}


def _gaps(right: Any, out: Any, named: Mapping[Any, str]) -> int | None:
    """How many rows of a left join have nothing of the right side; None where no column of that can tell."""
    for label, dtype in zip(right.columns, right.dtypes, strict=True):
        if label not in named or not isinstance(dtype, np.dtype) or dtype.kind not in "iubfM":
            continue
        if dtype.kind in "fM" and right[label].hasnans:
            continue  # a value may be missing without its row
        made = out[named[label]]
        # Whole numbers and truth values have no place for a missing one.
        return 0 if made.dtype == dtype and dtype.kind in "iub" else int(made.isna().sum())
    return None


def is_unique(keys: pd.Index) -> bool:
    """Whether no key occurs twice; of whole numbers without a hash table."""
    if isinstance(keys.dtype, np.dtype) and keys.dtype.kind in "iu" and len(keys):
        values = keys.to_numpy()
        low, high = int(values.min()), int(values.max())
        if high - low < DENSE * len(values) and high < 1 << 62:
            seen: Any = np.zeros(high - low + 1, bool)
            seen[np.subtract(values, low, dtype=np.int64)] = True
            return int(np.count_nonzero(seen)) == len(values)
    keys.is_monotonic_increasing  # noqa: B018  asked first: what is in order needs no hash table to be unique
    return bool(keys.is_unique)
