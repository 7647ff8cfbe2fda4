"""Columns that are added up and averaged: what in them is no measurement, and what their mean is a mean of.

Facts of kind `average`, of ``frame["column"].mean()``, its like and the same on groups, also within ``agg``
    Only where something is remarkable. methods, column, rows. And one or more of
    sentinel: {count, looked, shape, negative, changed} values that stand for a missing one (-999, 9999), and by what
    share they change the mean. zeros: {count, looked} zeros far from all other values. ratio: {of, difference} the
    column is one column divided by another, and the ratio of the sums differs from the mean by such a share. totals:
    {column, rows, share} rows labelled as totals, and their share of the sum; column is "" for the index. infinite: how
    many values are. twice: how many columns have this name.
    means: by what share the mean of the means of groups differs from the mean of all rows.

Facts of kind `filled`, of ``series.fillna(0)`` and ``frame.fillna(0)``
    columns: for each numeric column with gaps {filled, rows, far}; far says that 0 is far from all other values.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.core.card import shape
from reflex_magic.observe import live
from reflex_magic.observe.keys import sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

MEANS = frozenset({"mean", "median", "std", "var", "min", "quantile", "corr"})
SUMS = frozenset({"sum", "max", "idxmax"})

SENTINELS = (-9999, -999, -99, -9, -1, 99, 999, 9999, 99999)
"""Numbers that are written where nothing was measured."""

OTHERS = 8
"""Columns of which two may make a ratio, and columns that may label totals."""

FEW = 30
"""Rows in which a column must be the ratio of two others."""

COLUMNS = 40
"""Columns of a table that are looked at."""

LABELLED = 20_000
"""Rows of a table in which totals are looked for."""

CLOSELY = 200
"""Rows of a table of which each label is read; of a longer one those at its ends, and known words anywhere."""

_WORDS = (
    "total", "totals", "grand total", "sum", "all", "overall", "summe", "gesamt", "insgesamt", "totale", "celkem",
    "итого", "всего", "合計", "总计", "總計", "小計",
)  # fmt: skip
_TOTALS = frozenset(
    f"{form}{end}" for w in _WORDS for form in (w, w.title(), w.capitalize(), w.upper()) for end in ("", ":")
)
_TOTAL = re.compile(rf"\s*((grand|sub)[ -]?)?({'|'.join(_WORDS)})\b.{{0,20}}|.{{1,20}}\s(total|subtotal|sum)\s*", re.I)
_RATIO = re.compile(
    r"(.*_)?(rates?|ratio|shares?|pct|percent\w*|margin|ctr|cvr|aov)(_.*)?|.*%.*",
    re.I,
)


class Averaging(Kind):
    """``frame["column"].mean()``, ``frame.groupby("key")["column"].sum()``, ``groups.agg(m=("column", "mean"))``."""

    name = "average"
    methods = frozenset({"agg", "aggregate"}) | MEANS
    operators = frozenset(f"[].{name}" for name in MEANS | SUMS)

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver) or live.is_groupby(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        grouped = live.is_groupby(data)
        keys = _keys(data) if grouped else set()
        if grouped:
            data = data.obj
        if live.is_series(data):
            methods = {call.method} if call.method in MEANS else set(call.words & (MEANS | SUMS))
            if call.method in MEANS and call.column:
                return None  # the table that it is taken from is looked at instead
            return _told(methods, data, None, keys)
        column = call.column
        twice = 0 if data.columns.is_unique else int((data.columns == column).sum())
        if twice > 1:
            return {"methods": (call.method,), "column": column, "rows": len(data), "twice": twice}
        if call.method in ("agg", "aggregate"):
            methods = set(call.words & (MEANS | SUMS))
            wanted = [c for c in data.columns if type(c) is str and c in call.words and c not in keys]
        else:
            methods, wanted = {call.method}, [column] if column in data.columns else []
        if not methods or not data.columns.is_unique or len(data) > ROWS:
            return None
        told = (_told(methods, data[c], data, keys, written=_may_be_ratio(call, c)) for c in wanted)
        found = next((facts for facts in told if facts), None)
        if grouped and call.method == "mean" and wanted and live.is_series(values["result"]):
            off = _mean_of_means(data[column], values["result"])
            if off:
                found = {"methods": ("mean",), "column": column, "rows": len(data), **(found or {}), "means": off}
        return found

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(len(facts.keys() & {"sentinel", "zeros", "totals", "infinite", "twice"}))


class Filling(Kind):
    """``series.fillna(0)``."""

    name = "filled"
    methods = frozenset({"fillna"})
    arguments = frozenset({"0", "value"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, value = values["receiver"], values.get("0", values.get("value"))
        if len(data) > ROWS:
            return None
        if live.is_series(data):
            gaps = {"" if data.name is None else str(data.name): (data, value)}
        elif type(value) is dict:
            gaps = {str(k): (data[k], v) for k, v in value.items() if k in data.columns}
        else:
            gaps = {str(k): (data[k], value) for k in data.columns[:OTHERS]} if data.columns.is_unique else {}
        found = {name: told for name, (column, v) in gaps.items() if (told := _filled(column, v))}
        return {"columns": found} if found else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(sum(f["filled"] for f in facts["columns"].values()))


def _filled(column: Any, value: Any) -> Facts | None:
    if type(value) not in (int, float) or value != 0 or not live.is_series(column) or column.dtype.kind != "f":
        return None
    filled, there = int(column.isna().sum()), sample(column).dropna()
    if not filled or not len(there):
        return None
    return {"filled": filled, "rows": len(column), "far": _is_far(there.to_numpy())}


def _is_far(values: Any) -> bool:
    """Whether 0 is further from all values than they are from each other."""
    if len(np.unique(values)) < 3:
        return False
    low, high = float(values.min()), float(values.max())
    return bool(low > high - low) or bool(high < low - high)


def _may_be_ratio(call: Call, column: str) -> bool:
    return bool(_RATIO.fullmatch(column)) or "/" in call.cell.python


def _told(methods: set[str], column: Any, frame: Any, keys: set[str], *, written: bool = False) -> Facts | None:
    if not methods or not live.is_series(column) or not live.is_number_dtype(column.dtype) or not len(column):
        return None
    found: Facts = {}
    values = _sampled(column)
    values = values[~np.isnan(values)]
    if frame is not None and column.dtype.kind == "f" and np.isinf(values).any():
        found["infinite"] = int(np.isinf(column.to_numpy()).sum())
        values = values[np.isfinite(values)]
    if methods & MEANS and len(values) >= 5:
        found |= _sentinels(values) or _zeros(values, column)
    if "mean" in methods and frame is not None and written and column.dtype.kind == "f":
        found |= _ratio(column, frame)
    if frame is not None and len(frame) <= LABELLED:
        found |= _totals(column, frame, keys)
    if not found:
        return None
    name = "" if column.name is None else str(column.name)
    return {"methods": tuple(sorted(methods)), "column": name, "rows": len(column), **found}


def _sampled(column: Any) -> Any:
    """Numbers of a column; without an index they take half the time."""
    return sample(column.array).to_numpy(dtype=float, na_value=np.nan)


def _sentinels(values: Any) -> Facts:
    for number in SENTINELS:
        marked = values == number
        count = int(marked.sum())
        rest = values[~marked]
        if not count or len(rest) < 3 or not rest.any() or len(np.unique(rest)) < 3:
            continue
        low, high = float(rest.min()), float(rest.max())
        negative = number < 0
        apart = low >= 0 if negative else count >= 2 and high < number / 3 and low >= 0
        if apart and (count >= 2 or number <= -99):
            mean = float(rest.mean())
            changed = abs(float(values.mean()) - mean) / abs(mean) if mean else 1.0
            told = {"count": count, "looked": len(values), "shape": shape(str(number)), "negative": negative}
            return {"sentinel": {**told, "changed": round(changed, 3)}}
    return {}


def _zeros(values: Any, column: Any) -> Facts:
    zeros = values == 0
    rest = values[~zeros]
    count = int(zeros.sum())
    if count < 2 or count > 0.4 * len(values) or len(np.unique(rest)) < 5 or column.hasnans or not _is_far(rest):
        return {}
    return {"zeros": {"count": count, "looked": len(values)}}


def _ratio(column: Any, frame: Any) -> Facts:
    """The two columns of which this one is the ratio."""
    others = [c for c in frame.columns if c != column.name and live.is_number_dtype(frame[c].dtype)][:OTHERS]
    rows = [_sampled(c) for c in (column, *(frame[c] for c in others))]
    looked = np.array(rows)
    looked = looked[:, np.isfinite(looked).all(axis=0)]
    rates, few = looked[0], looked[:, :FEW]
    if len(rates) < 2 or (few[0] == few[0][0]).all():
        return {}
    for over, under in itertools.permutations(range(1, len(rows)), 2):
        if not few[under].all() or (few[under] == few[under][0]).all():
            continue
        factor = few[0] * few[under]
        for times in (1.0, 100.0):
            if np.abs(factor - few[over] * times).max() <= 1e-6 * np.abs(factor).max():
                whole = float(looked[over].sum()) / float(looked[under].sum()) * times
                difference = round(abs(float(rates.mean()) - whole) / abs(whole), 4) if whole else 0.0
                return {"ratio": {"of": (others[over - 1], others[under - 1]), "difference": difference}}
    return {}


def _totals(column: Any, frame: Any, keys: set[str]) -> Facts:
    for name, labels in _labels(frame):
        marked = _are_totals(labels)
        count = int(marked.sum())
        if name in keys or not count or 2 * count >= len(marked):
            continue
        values = column.to_numpy(dtype=float, na_value=0.0)
        total, rest = float(values[marked].sum()), float(values[~marked].sum())
        # One total, totals of every part, or totals of parts and of the whole.
        if rest and any(abs(total - n * rest) <= 1e-6 * abs(n * rest) for n in (1, 2)):
            return {"totals": {"column": name, "rows": count, "share": round(total / (total + rest), 3)}}
    return {}


def _are_totals(labels: Any) -> Any:
    """Which labels say that a row is a total."""
    marked = np.asarray(labels.isin(_TOTALS))
    ends = range(len(labels)) if len(labels) <= CLOSELY else (0, 1, len(labels) - 2, len(labels) - 1)
    told = [i for i in ends if type(labels[i]) is str and _TOTAL.fullmatch(labels[i])]
    marked[told] = True
    return marked


def _labels(frame: Any) -> Iterator[tuple[str, Any]]:
    if live.is_text_dtype(frame.index.dtype):
        yield "", frame.index
    named = [c for c in frame.columns[:COLUMNS] if type(c) is str and live.is_text_dtype(frame[c].dtype)]
    for name in named[:OTHERS]:
        yield name, pd.Index(frame[name])


def _mean_of_means(column: Any, means: Any) -> float:
    """By what share the mean of the means of groups differs from the mean of all rows."""
    if not live.is_number_dtype(column.dtype) or len(means) < 2:
        return 0.0
    whole, each = float(column.mean()), float(means.mean())
    return round(abs(each - whole) / abs(whole), 4) if whole else 0.0


def _keys(groups: Any) -> set[str]:
    keys = groups.keys if type(groups.keys) is list else [groups.keys]
    return {k for k in keys if type(k) is str}
