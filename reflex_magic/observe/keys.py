"""Keys of rows: which ones a person reads as the same, and a comparison does not."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd

DISTINCT = 5_000
"""Most distinct keys of a side that are compared; the first ones."""

SAMPLE = 1_000
"""Values of a column that are looked at, evenly spaced."""

EXACT = 2.0**53
"""From here on neighbouring whole numbers are one float."""

_WHOLE = re.compile(r"0*(\d+)(\.0+)?")


def fold(text: str) -> str:
    """Without case and outer blanks, and with single blanks within."""
    return " ".join(text.casefold().split())


def alike(alone: Iterable[Any], others: Iterable[Any], others_alone: Iterable[Any]) -> set[Any]:
    """The keys without a partner that have one in another spelling.

    Texts that differ in case or blanks have a partner in any of `others`. What differs in type, in
    leading zeros, in ``.0``, in the ninth digit of a fraction or in the time of day has one only in what
    has no partner either: ``07`` and ``7`` may well be two codes where both are in use.

    Parameters
    ----------
    alone
        Distinct keys of one side that the other does not have.
    others, others_alone
        All distinct keys of the other side, and those of them that this side does not have.
    """
    mine, theirs = ([k for k in keys if _is_there(k)][:DISTINCT] for keys in (alone, others_alone))
    folded = {fold(key) for key in list(others)[:DISTINCT] if isinstance(key, str)}
    # A time of day is left out of account only where the other side has none.
    days = _are_days(mine) or _are_days(theirs)
    read = {_read(key, days) for key in theirs}
    return {k for k in mine if (isinstance(k, str) and fold(k) in folded) or (read and _read(k, days) in read)}


def _is_there(key: Any) -> bool:
    return key is not None and key is not pd.NA and bool(key == key)  # neither NaN nor NaT is


def _are_days(keys: Collection[Any]) -> bool:
    stamps = [k for k in keys if isinstance(k, dt.datetime)]
    return bool(keys) and all(s.time() == dt.time() for s in stamps)


def _read(key: Any, days: bool) -> str:
    """The key as a person reads it."""
    match key:
        case str():
            text = fold(key)
        case dt.datetime() if key is not pd.NaT:
            return str(key.date()) if days else str(key)
        case tuple():
            return "\0".join(_read(part, days) for part in key)
        case float():
            text = f"{key:.9g}" if key % 1 else f"{key:.0f}"
        case _:
            text = str(key)
    found = _WHOLE.fullmatch(text)
    return found[1] if found else text


def sample(data: Any, size: int = SAMPLE) -> Any:
    """At most so many values of a series, index or array, evenly spaced."""
    return data if len(data) <= size else data.take(np.linspace(0, len(data) - 1, size, dtype=int))


def are_whole(*keys: Any) -> bool:
    """Whether all of these hold whole numbers only, for which there is one spelling."""
    return all(getattr(getattr(k, "dtype", None), "kind", "O") in "iub" for k in keys)


def beyond(keys: Any) -> dict[str, int]:
    """How many of some keys are floats too long to tell neighbours apart; nothing where none is."""
    if getattr(keys, "dtype", None) != np.float64:
        return {}
    found = int((np.abs(np.asarray(sample(keys))) >= EXACT).sum())
    return {"beyond": found} if found else {}


def is_numbered(index: Any) -> bool:
    """Whether this is the index of rows that nobody gave a key: 0, 1, 2, ..."""
    return type(index) is pd.RangeIndex and index.start == 0 and index.step == 1 and index.name is None
