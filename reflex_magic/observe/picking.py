"""Rows that are picked by a label, by their place, or because they are the largest.

Facts of kind `pick_label`, of ``frame.loc[3]``, ``frame.loc[3, "column"]`` and `at` with a whole number
    Only where rows share this number and the numbers begin anew, as after `concat`. rows, picked, repeated.

Facts of kind `ties`, of `idxmax`, `idxmin`, `mode`, `nlargest` and `nsmallest`
    Only where values are as large as the last one that is taken. method. left: how many of these are not taken.

Facts of kind `ends`, of `head`, `tail`, ``iloc[-1]``, ``iloc[0]``, `first` and `last` of groups, and `drop_duplicates`
    method. rows, taken. ordered: columns, or the index ("index"), by which the rows are in order, either way. dates:
    for each date column the rows taken at this end that are not the latest (for `tail`, `last`, -1) or the
    earliest (`head`, `first`, 0); of groups, how many of them. groups: how many groups there are, else 0.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

COLUMNS = 12
"""Columns of a table that may have an order."""

LONGEST = 50_000
"""Rows of a table whose order is looked at."""


class PickLabel(Kind):
    """``frame.loc[3]``."""

    name = "pick_label"
    operators = frozenset({"loc[]", "at[]"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        index, label = values["receiver"].index, values.get("0")
        label = label[0] if type(label) is tuple and label else label
        if type(label) not in (int, np.int64) or index.is_unique or index.name is not None or len(index) > ROWS:
            return None
        numbers = index.to_numpy()
        if numbers.dtype.kind != "i" or numbers[0] != 0:
            return None
        starts = numbers[1:] < numbers[:-1]
        picked = int((numbers == label).sum())
        # After `concat` numbers go up from 0 anew; what was repeated or exploded has its numbers side by side.
        if picked < 2 or not starts.any() or numbers[1:][starts].any() or (numbers[1:] == numbers[:-1]).any():
            return None
        return {"rows": len(numbers), "picked": picked, "repeated": int(index.duplicated().sum())}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["picked"])


class Ties(Kind):
    """``series.idxmax()``, ``frame.nlargest(3, "column")``."""

    name = "ties"
    methods = frozenset({"idxmax", "idxmin", "nlargest", "nsmallest", "mode"})
    arguments = frozenset({"0", "1", "n", "columns"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, result = values["receiver"], values["result"]
        if live.is_frame(data):
            by = values.get("1", values.get("columns"))
            by = by[0] if type(by) is list and len(by) == 1 else by
            if call.method not in ("nlargest", "nsmallest") or type(by) is not str or not data.columns.is_unique:
                return None
            data, result = data[by], result[by]
        if not 2 <= len(data) <= ROWS or "keep" in call.keywords:
            return None
        if call.method == "mode":
            left = len(result) - 1
            left = left if len(result) < data.nunique() else 0  # all values once: there is no most frequent one
        elif call.method in ("idxmax", "idxmin"):
            numbers = data.to_numpy()
            left = int(np.count_nonzero(numbers == (data.max() if call.method == "idxmax" else data.min()))) - 1
        elif not len(result):
            return None
        else:
            edge = result.iloc[-1]
            left = int(np.count_nonzero(data.to_numpy() == edge) - np.count_nonzero(result.to_numpy() == edge))
        return {"method": call.method, "left": left, "rows": len(data)} if left > 0 else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 0.0


class Ends(Kind):
    """``frame.head(3)``, ``frame["column"].iloc[-1]``, ``frame.groupby("key")["column"].last()``."""

    name = "ends"
    methods = frozenset({"head", "tail", "first", "last", "agg", "drop_duplicates"})
    arguments = frozenset({"0", "subset", "keep"})
    operators = frozenset({"iloc[]", "[].iloc[]", "[].head", "[].tail", "[].first", "[].last"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver) or live.is_groupby(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, result = values["receiver"], values["result"]
        groups = data if live.is_groupby(data) else None
        frame = data if groups is None else data.obj
        method = _end(call, grouped=groups is not None)
        if call.method == "drop_duplicates":
            return _kept(data, values.get("0", values.get("subset")), values.get("keep", "first"))
        if live.is_series(frame) and (groups is not None or _is_part(call.node)):
            return None  # the table that it is taken from is looked at instead
        if not method or not 2 <= len(frame) <= LONGEST:
            return None
        return {
            "method": method,
            "rows": len(frame),
            "taken": len(result) if call.method in ("head", "tail") else 1,
            "ordered": _ordered(frame),
            "dates": _dates(frame, groups, last=method in ("tail", "last")),
            "groups": 0 if groups is None else int(groups.ngroups),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 0.0


def _kept(data: Any, keys: Any, keep: Any) -> Facts | None:
    """The first or last row of each key is kept, as of a group."""
    keys = keys if type(keys) is list else [keys]
    if not live.is_frame(data) or keep not in ("first", "last") or not data.columns.is_unique:
        return None
    if not 2 <= len(data) <= LONGEST or not all(type(k) is str and k in data.columns for k in keys):
        return None
    groups = data.groupby(keys, sort=False, dropna=False)
    facts = {"method": keep, "rows": len(data), "taken": 1, "ordered": (), "groups": int(groups.ngroups)}
    return {**facts, "dates": _dates(data, groups, last=keep == "last")}


def _is_part(node: ast.expr | ast.stmt) -> bool:
    """``frame["column"].head()``, ``frame.column.iloc[0]``."""
    match node:
        case ast.Call(func=ast.Attribute(value=on)) | ast.Subscript(value=ast.Attribute(value=on)):
            return isinstance(on, ast.Attribute) or (
                isinstance(on, ast.Subscript) and isinstance(on.slice, ast.Constant)
            )
    return False


def _end(call: Call, *, grouped: bool) -> str:
    """At which end rows are taken: "head", "tail", "first" or "last", else ""."""
    match call.node:
        case ast.Subscript(slice=ast.Constant(value=0)):
            return "first"
        case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))):
            return "last"
    if call.method == "agg":
        return next((m for m in ("first", "last") if grouped and m in call.words), "")
    if call.method in ("first", "last"):
        return call.method if grouped else ""
    return call.method if call.method in ("head", "tail") else ""


def _ordered(data: Any) -> tuple[str, ...]:
    """What the rows are in order by; a column of one value is in no order."""
    found = ["index"] if data.index.is_monotonic_increasing or data.index.is_monotonic_decreasing else []
    if live.is_series(data):
        return (*found, "values") if _in_order(data) else tuple(found)
    return (*found, *(str(c) for c in data.columns[:COLUMNS] if live.is_series(data[c]) and _in_order(data[c])))


def _in_order(column: Any) -> bool:
    try:
        order = column.is_monotonic_increasing or column.is_monotonic_decreasing
        return bool(order) and bool(column.iloc[0] != column.iloc[-1])
    except TypeError:  # values that cannot be compared
        return False


def _dates(frame: Any, groups: Any, *, last: bool) -> dict[str, int]:
    if not live.is_frame(frame) or not frame.columns.is_unique:
        return {}
    found: dict[str, int] = {}
    for label in frame.columns[:COLUMNS]:
        column = frame[label]
        if getattr(column.dtype, "kind", "") != "M" or column.hasnans:
            continue
        if groups is None:
            missed = column.iloc[-1] != column.max() if last else column.iloc[0] != column.min()
            found[str(label)] = int(missed)
        else:
            numbers = groups.ngroup()
            by = column.groupby(numbers.to_numpy())
            found[str(label)] = int((by.last() != by.max()).sum() if last else (by.first() != by.min()).sum())
    return found
