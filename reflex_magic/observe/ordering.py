"""Written numbers and dates that are ordered by their letters.

Facts of kind `text_order`, of ``sort_values``, ``max``, ``min``, ``idxmax``, ``idxmin``, ``rank``, ``round``,
``cummax``, ``cummin`` and ``sorted`` of a text column, and ``max`` in ``agg``
    method, column. looked: texts that were looked at. numbers: those that are written numbers. misplaced:
    neighbours in the order of the letters whose numbers, or whose years, are the other way round. dates: they are
    dates that begin with the day or the month. plain: they are whole numbers without a sign. changed: `round` would
    change so many. wrong: what the method gives is not what it would give for the numbers, as far as they were
    looked at.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.kind import Call, Facts, Kind
from reflex_magic.observe.readings import aggregated, numbers_of, texts_of

COLUMNS = 3
"""Columns to sort by that are looked at."""

_DATE = re.compile(r"\s*\d{1,2}[./-](?:\d{1,2}|[A-Za-z]{3})[./-](\d{4}|\d\d)\b.*")
_ORDERS = frozenset({"sort_values", "max", "min", "idxmax", "idxmin", "rank", "cummax", "cummin"})


class TextOrder(Kind):
    """What orders a text column, and what rounds one."""

    name = "text_order"
    methods = _ORDERS | {"round", "agg", "aggregate"}
    functions = frozenset({"sorted", "max", "min"})
    arguments = frozenset({"0", "by", "key"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver) or live.is_groupby(receiver) or receiver is builtins

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        if "key" in values:
            return None
        if call.method in ("agg", "aggregate"):
            told = [_order("max", column) for column in _aggregated(call, values["receiver"])]
        else:
            told = [_order(call.method, column) for column in _columns(call.method, values)]
        return max((f for f in told if f), key=self.telling, default=None)

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["misplaced"] + facts["changed"])


def _aggregated(call: Call, receiver: Any) -> list[Any]:
    """The text columns of which `agg` takes the largest."""
    data = receiver.obj if live.is_groupby(receiver) else receiver
    if live.is_series(data):
        found = [data] if "max" in call.words else []
    else:
        found = [data[name] for name in sorted(aggregated(call.node, {"max"})) if name in data.columns]
    return [c for c in found if live.is_series(c) and live.is_text_dtype(c.dtype)]


def _columns(method: str, values: Mapping[str, Any]) -> list[Any]:
    """The columns that are ordered, as far as they are text."""
    data = values["receiver"]
    if data is builtins:
        data = values.get("0")
        if isinstance(data, (np.ndarray, pd.api.extensions.ExtensionArray)) and data.ndim == 1:  # what `unique` gives
            data = pd.Series(data, copy=False)
    if live.is_groupby(data):
        data = data.obj
    if live.is_series(data):
        found = [data]
    elif live.is_frame(data) and method == "sort_values":
        by = values.get("0", values.get("by"))
        names = by if type(by) is list else [by]
        found = [data[n] for n in names[:COLUMNS] if type(n) is str and n in data.columns]
    else:
        return []
    return [c for c in found if live.is_series(c) and live.is_text_dtype(c.dtype)]


def _order(method: str, column: Any) -> Facts | None:
    texts = texts_of(column)
    read = numbers_of(texts)
    years = [] if read else [(v, int(m[1])) for v in texts if (m := _DATE.fullmatch(v))]
    if not read and (not years or len(years) < 0.9 * len(texts)):
        return None
    by_letters = sorted(set(read or years))
    misplaced = sum(a[1] > b[1] for a, b in pairwise(by_letters))
    changed = sum(n % 1 != 0 for _, n in read) if method == "round" else 0
    if not (changed if method == "round" else misplaced):
        return None
    return {
        "method": method,
        "column": "" if column.name is None else str(column.name),
        "looked": len(texts),
        "numbers": len(read),
        "misplaced": misplaced,
        "dates": not read,
        "plain": all(v.strip().isdecimal() for v, _ in read),
        "changed": changed,
        "wrong": _is_wrong(method, [n for _, n in by_letters]),
    }


def _is_wrong(method: str, numbers: list[float] | list[int]) -> bool:
    """Whether the first or last one by the letters is another one by the numbers."""
    if method.endswith("max"):
        return numbers[-1] != max(numbers)
    return numbers[0] != min(numbers) if method.endswith("min") else True
