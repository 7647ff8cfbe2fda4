"""What goes from row to row of a table: whether the rows are of one thing, and in order of time.

Facts of kind `row_order`, of ``frame["column"].diff()`` and its like
    Only where something is remarkable. method, column. of: "number", "time" or "text", what the column holds. plain: it
    is called without arguments. rows, looked: of the table, and those that were looked at. order: the column by which
    the rows are a sequence ("" where there is none). back: rows that are earlier than the row before. late: the rows
    begin with the latest. groups: for each column that says whose row it is, {distinct, changes: rows after one of
    another, layout}. The layout is "blocks" (one after another, and `order` starts anew in each), "woven" (in order of
    `order`, where several have the same, and each has it once) or "".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.kind import Call, Facts, Kind

_FILLS = frozenset({"ffill", "bfill", "interpolate"})
METHODS = _FILLS | {
    "diff", "shift", "pct_change", "cumsum", "cumprod", "cummax", "cummin", "rolling", "expanding", "ewm",
}  # fmt: skip

SAMPLE = 500
"""Rows that are looked at: the first of a longer table, and as many evenly spaced."""

SCANNED = 200_000
"""Longest table of which the rows within groups are looked at."""

COLUMNS = 40
"""Columns of a table that are looked at."""

SHARED = 0.5
"""So many rows at least have their date in common with another one, where several groups are woven by date."""

GROUPS = 3
"""Columns that are told as those which say whose row it is."""

_TIMES = re.compile(
    r"(.*_)?(date|day|week|month|quarter|year|period|time|timestamp|hour|minute|wave|round|tick|step)(_.*)?", re.I
)
_ISO = re.compile(r"\d{4}-\d\d(-\d\d([ T].*)?)?")
_KEY = re.compile(r"(.*_)?(id|no|nr|code|key|number)", re.I)


class RowOrder(Kind):
    """``frame["column"].diff()`` and other methods that go from row to row."""

    name = "row_order"
    operators = frozenset(f"[].{name}" for name in METHODS)

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_groupby(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        frame, name = values["receiver"], call.column
        if live.is_groupby(frame):
            return _within_groups(call, frame, name)
        if len(frame) < 4 or name not in frame.columns or not frame.columns.is_unique:
            return None
        labels = [label for label in frame.columns[:COLUMNS] if type(label) is str]
        times = [label for label in labels if _is_sequence(frame[label], label)]
        keys = [label for label in labels if label != name and label not in times and _may_be_key(frame[label], label)]
        columns = {label: frame[label] for label in dict.fromkeys([*keys, *times, name])}
        parts = ({c: d.iloc[rows].to_numpy() for c, d in columns.items()} for rows in _rows(len(frame)))
        told = (_look(part, keys, times, call.method, name) for part in parts)
        found = max(told, key=_remarkable)
        if not _remarkable(found):
            return None
        return {
            "method": call.method,
            "column": name,
            "of": _sort(frame[name].dtype),
            "plain": isinstance(call.node, ast.Call) and not call.node.args and not call.keywords,
            "rows": len(frame),
            **found,
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        layouts = sum(bool(group["layout"]) for group in facts["groups"].values())
        return float(facts["back"] + layouts * facts["rows"])


def _within_groups(call: Call, groups: Any, name: str) -> Facts | None:
    """The same for rows that are taken within each group, of which only the order of time can be wrong."""
    frame, keys = groups.obj, groups.keys if type(groups.keys) is list else [groups.keys]
    if not live.is_frame(frame) or name not in frame.columns or not frame.columns.is_unique or len(frame) > SCANNED:
        return None
    labels = [label for label in frame.columns[:COLUMNS] if type(label) is str and label not in keys]
    times = [label for label in labels if _is_sequence(frame[label], label)]
    rows = np.argsort(groups.ngroup().to_numpy(), kind="stable")
    whose = groups.ngroup().to_numpy()[rows]
    same = whose[1:] == whose[:-1]
    told = {}
    for label in times:
        values = frame[label].to_numpy()[rows]
        if not pd.isna(values).any() and (values != values[0]).any():
            told[label] = int((same & (values[1:] < values[:-1])).sum()), bool((values[1:] <= values[:-1])[same].all())
    if not told or not all(back for back, _ in told.values()):
        return None
    order, (back, late) = next(iter(told.items()))
    plain = isinstance(call.node, ast.Call) and not call.node.args and not call.keywords
    found = {"looked": len(frame), "order": order, "back": back, "late": late, "groups": {}}
    return {
        "method": call.method,
        "column": name,
        "of": _sort(frame[name].dtype),
        "plain": plain,
        "rows": len(frame),
        **found,
    }


def _rows(number: int) -> list[Any]:
    if number <= 2 * SAMPLE:
        return [slice(None)]
    return [slice(SAMPLE), np.linspace(0, number - 1, SAMPLE, dtype=int)]


def _look(part: dict[str, Any], keys: list[str], times: list[str], method: str, name: str) -> Facts:
    order, values = _sequence(part, times)
    back = values[1:] < values[:-1]
    taken = _taken(part[name], method)
    groups: dict[str, Facts] = {}
    for key in keys:
        codes, distinct = pd.factorize(part[key])
        if not 2 <= len(distinct) <= len(codes) / 2 or len(groups) >= GROUPS:
            continue
        changed = codes[1:] != codes[:-1]
        crossed = int((changed & taken).sum())
        if crossed:
            layout = _layout(codes, values, back, changed, len(distinct)) if order else ""
            groups[key] = {"distinct": len(distinct), "changes": crossed, "layout": layout}
    late = bool(back.any()) and bool((values[1:] <= values[:-1]).all())
    return {"looked": len(part[name]), "order": order, "back": int(back.sum()), "late": late, "groups": groups}


def _sequence(part: dict[str, Any], times: list[str]) -> tuple[str, Any]:
    """The column by which the rows are a sequence, and its values: the first that is in order, else the first."""
    told = {t: part[t] for t in times if not pd.isna(part[t]).any() and (part[t] != part[t][0]).any()}
    years = next((t for t in told if t.lower() == "year"), None)
    months = next((t for t in times if t.lower() in ("month", "quarter", "week") and t in told), None)
    if years and months and all(told[t].dtype.kind in "iu" for t in (years, months)):
        return months, told[years] * 100 + told[months]
    in_order = (t for t, values in told.items() if not (values[1:] < values[:-1]).any())
    order = next(in_order, next(iter(told), ""))
    return order, told[order] if order else np.zeros(max(map(len, part.values())))


def _taken(values: Any, method: str) -> Any:
    """Whether what stands in a row is taken into the next: always, but where something is filled only into a gap."""
    if method not in _FILLS:
        return np.ones(len(values) - 1, dtype=bool)
    gaps = pd.isna(values)
    into_next, into_last = gaps[1:] & ~gaps[:-1], gaps[:-1] & ~gaps[1:]
    return into_next if method == "ffill" else into_last if method == "bfill" else into_next | into_last


def _remarkable(found: Facts) -> float:
    """Most where the layout tells that rows of several things stand in one table."""
    return max([2.0 if g["layout"] else 1.0 for g in found["groups"].values()], default=0.5 if found["back"] else 0.0)


def _layout(codes: Any, times: Any, back: Any, changed: Any, distinct: int) -> str:
    if int(changed.sum()) == distinct - 1:  # one after another
        return "blocks" if back.any() and not (back & ~changed).any() else ""
    if back.any():
        return ""
    when, distinct_times = pd.factorize(times)
    shared = int((np.bincount(when)[when] > 1).sum())
    pairs = codes.astype(np.int64) * len(distinct_times) + when
    return "woven" if shared > SHARED * len(codes) and len(np.unique(pairs)) == len(pairs) else ""


def _sort(dtype: Any) -> str:
    if live.is_number_dtype(dtype):
        return "number"
    return "time" if getattr(dtype, "kind", "") in "mM" else "text"


def _is_sequence(column: Any, label: str) -> bool:
    """Whether rows follow one another by a column: dates, or what is called so and holds whole numbers or ISO dates."""
    kind = getattr(column.dtype, "kind", "")
    if kind == "M":
        return True
    if not _TIMES.fullmatch(label):
        return False
    if live.is_text_dtype(column.dtype):
        ends = (column.iloc[0], column.iloc[-1])
        return all(type(v) is str and _ISO.fullmatch(v) for v in ends)
    return kind in "iu"


def _may_be_key(column: Any, label: str) -> bool:
    if isinstance(column.dtype, pd.CategoricalDtype) or live.is_text_dtype(column.dtype):
        return True
    return getattr(column.dtype, "kind", "") in "iu" and bool(_KEY.fullmatch(label))
