"""Group-bys, the aggregations after them, pivot tables and counts of values.

Facts of kind `groupby`, `pivot_table`, `crosstab` and `value_counts`
    rows: rows that went in. keys: names of the keys ("" where a key has none). missing: rows
    without a group because a key is missing. aggregations: what was called on the groups, in order,
    with the functions named in ``agg``. total: what the sizes or counts add up to, None where
    nothing was counted. groups: how many there are (`groupby` only). repeats: rows that share their cell with one
    before (`pivot_table` without a function to aggregate by only).
"""

from __future__ import annotations

import functools
import operator
import weakref
from collections.abc import Mapping
from typing import Any

import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

REDUCTIONS = frozenset(
    {"agg", "aggregate", "all", "any", "apply", "count", "first", "last", "max", "mean", "median", "min", "nunique"}
    | {"prod", "quantile", "sem", "size", "std", "sum", "var"}
)
"""Calls on groups that leave one row a group."""

ROW_BY_ROW = frozenset(
    {"bfill", "cumcount", "cummax", "cummin", "cumprod", "cumsum", "diff", "ffill", "head", "ngroup", "pct_change"}
    | {"rank", "sample", "shift", "tail", "transform"}
)
"""Calls on groups that keep the rows."""

COUNTED = 20_000
"""Rows that are compared with each other; of a longer table the cells that were filled are counted."""

_KEPT = 16
"""Group-bys that an aggregation in a later statement may still belong to."""


class Grouping(Kind):
    """``df.groupby(...)`` and ``series.groupby(...)``."""

    name = "groupby"
    methods = frozenset(["groupby"])

    def __init__(self) -> None:
        self._made: list[tuple[weakref.ref[Any], Facts]] = []

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        groups, rows = values["result"], len(values["receiver"])
        if not live.is_groupby(groups) or rows > ROWS:
            return None
        missing = _missing(groups, values["receiver"])
        if missing is None:
            return None
        facts: Facts = {
            "rows": rows,
            "keys": _names(groups.keys) if groups.keys is not None else _levels(groups),
            "missing": missing,
            "groups": int(groups.ngroups),
            "aggregations": (),
            "total": None,
        }
        self._made = [*self._made[1 - _KEPT :], (weakref.ref(_grouper(groups)), facts)]
        return facts

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["missing"])

    def made_by(self, groups: Any) -> Facts | None:
        """The facts of the group-by that `groups` comes from, also after a column was selected."""
        grouper = _grouper(groups)
        return next((facts for made, facts in reversed(self._made) if made() is grouper), None)


def _missing(groups: Any, data: Any) -> int | None:
    """How many rows are in no group; None where pandas does not number all rows."""
    if not groups.dropna:
        return 0
    labels = groups.keys if type(groups.keys) is list else [groups.keys]
    if live.is_frame(data) and all(type(k) is str and k in data.columns for k in labels) and data.columns.is_unique:
        return _gaps(data, labels)
    # Functions, levels and arrays as keys: numbering the groups is what the aggregation needs too.
    numbers = groups.ngroup()
    return int(numbers.isna().sum()) if len(numbers) == len(data) else None


def _gaps(data: Any, labels: list[str]) -> int:
    """Rows in which one of these columns is missing; columns that cannot have gaps are not looked at."""
    columns = [data[label] for label in labels if not live.is_complete(data[label])]
    return int(functools.reduce(operator.or_, [column.isna() for column in columns]).sum()) if columns else 0


class Aggregation(Kind):
    """What is called on groups. It is no operation of its own: it completes the facts of its group-by."""

    name = "aggregation"
    methods = REDUCTIONS | ROW_BY_ROW

    def __init__(self, grouping: Grouping) -> None:
        self._grouping = grouping

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_groupby(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        facts = self._grouping.made_by(values["receiver"])
        if facts is None:
            return None
        named = sorted(call.words & REDUCTIONS) if call.method in ("agg", "aggregate") else []
        known = facts["aggregations"]
        facts["aggregations"] = (*known, *(name for name in (call.method, *named) if name not in known))
        if call.method in ("size", "count") and live.is_series(values["result"]):
            facts["total"] = int(values["result"].sum())
        return None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 0.0


class Pivoting(Kind):
    """``df.pivot_table(...)`` and ``pd.pivot_table(df, ...)``."""

    name = "pivot_table"
    methods = frozenset(["pivot_table"])
    arguments = frozenset(["0", "1", "2", "3", "data", "index", "columns", "dropna"])

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        given, function = dict(values), live.is_pandas_module(values["receiver"])
        order = ("data", "values", "index", "columns") if function else ("values", "index", "columns")
        given.update({name: values[str(i)] for i, name in enumerate(order) if str(i) in values})
        data = given["data"] if function else values["receiver"]
        if not live.is_frame(data) or len(data) > ROWS:
            return None
        keys = [key for side in ("index", "columns") for key in _listed(given.get(side))]
        if not all(type(key) is str and key in data.columns for key in keys) or not data.columns.is_unique:
            return None
        dropped = bool(given.get("dropna", True))
        functions = tuple(sorted(call.words & REDUCTIONS)) or ("mean",)
        facts: Facts = {
            "rows": len(data),
            "keys": tuple(keys),
            "missing": _gaps(data, keys) if dropped else 0,
            "aggregations": functions,
            "total": None,
        }
        if keys and "aggfunc" not in call.keywords:
            facts["repeats"] = _repeats(data, keys, given.get("values"), values["result"])
        return facts

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["missing"])


class CrossTable(Kind):
    """``pd.crosstab(df["a"], df["b"])``."""

    name = "crosstab"
    methods = frozenset({"crosstab"})
    functions = frozenset({"crosstab"})
    arguments = frozenset({"0", "1", "index", "columns", "dropna"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        sides = (values.get("0", values.get("index")), values.get("1", values.get("columns")))
        keys = [key for side in sides for key in (side if type(side) is list else [side])]
        if not all(live.is_series(key) and key.index.equals(keys[0].index) for key in keys) or len(keys[0]) > ROWS:
            return None
        gaps = [] if values.get("dropna") is False else [key.isna() for key in keys if not live.is_complete(key)]
        return {
            "rows": len(keys[0]),
            "keys": tuple(map(_name, keys)),
            "missing": int(functools.reduce(operator.or_, gaps).sum()) if gaps else 0,
            "aggregations": ("size",),
            "total": None,
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["missing"])


class Counting(Kind):
    """``df["a"].value_counts()``."""

    name = "value_counts"
    methods = frozenset({"value_counts"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, counts = values["receiver"], values["result"]
        if not {"dropna", "normalize", "bins"}.isdisjoint(call.keywords) or not live.is_series(counts):
            return None
        total = int(counts.sum())
        if counts.dtype.kind != "i" or total == len(data):
            return None
        return {
            "rows": len(data),
            "keys": (_name(data),),
            "missing": len(data) - total,
            "aggregations": ("size",),
            "total": total,
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["missing"])


def _repeats(data: Any, keys: list[str], values: Any, result: Any) -> int:
    """Rows that share their cell with one before; 0 where that would take long to tell."""
    if len(data) <= COUNTED:
        return int(data.duplicated(keys).sum())
    if type(values) is not str or values not in data.columns:
        return 0
    return max(0, int(data[values].count()) - _gaps(data, keys) - int(result.count().sum()))


def _grouper(groups: Any) -> Any:
    """What a group-by and its column selections share.

    It has no public name (`grouper` is deprecated); without it the aggregations stay unknown.
    """
    return groups._grouper


def _listed(keys: Any) -> list[Any]:
    if keys is None:
        return []
    return list(keys) if type(keys) in (list, tuple) else [keys]


def _levels(groups: Any) -> tuple[str, ...]:
    """The names of index levels that were grouped by."""
    names = groups.obj.index.names
    levels = _listed(groups.level)
    return tuple(str(names[x] or "") if type(x) is int else str(x) for x in levels)


def _names(keys: Any) -> tuple[str, ...]:
    # A tuple is one key: the label of a column under several levels.
    return tuple(map(_name, keys if type(keys) is list else [keys]))


def _name(key: Any) -> str:
    if live.is_series(key):
        return "" if key.name is None else str(key.name)
    if type(key) is pd.Grouper:
        return "" if key.key is None else str(key.key)
    return str(key) if type(key) in (str, int, tuple) else ""
