"""Merges and joins.

Facts of kind `merge`
    left_rows, right_rows, rows: in and out. how: as pandas understands it. left_keys, right_keys:
    names of the key columns ("" for an index without a name). same: both sides are one object.
    Unless the join is a cross join, or its keys are no columns or index levels:
    left_unmatched: rows whose key the other side does not have.
    left_multiplied: rows that came out more than once.
    Where the result alone does not tell these two, the keys are compared, and there is also
    right_unmatched, right_multiplied: likewise.
    left_repeats, right_repeats: rows whose key stands in an earlier row of the same side.
    missing_keys: rows of both sides that met because their keys are missing, as pandas pairs them.
    left_sums, right_sums: for numeric columns that are no keys, the sum afterwards in units of
    the sum before; only where rows were multiplied, or were lost in a cell that adds up or asserts.

    Only where rows of the left side met none, and of long tables among rows evenly spaced:
    many: a key stands in several rows of the left side. left_alike: those of the rows whose key differs from one
    of the right side only in how it is written. key_alone: where no key was written and several columns are
    shared, those that identify the rows of a side on their own, with the rows that had a partner by this column
    alone. gaps: numeric columns of the result that are missing in these rows. filters: the right side has key
    columns only.

    Only where there are any: beyond: rows of a side, among those looked at, whose key is a float too long to tell
    neighbours apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.keys import alike, are_whole, beyond, sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind
from reflex_magic.observe.meeting import told_by_result

LOOKED_AT = 50_000
"""Longest right side whose keys are compared with those that met none."""

SUMMED = 20
"""Numeric columns of each side whose sums are compared."""

_MERGE = ("right", "how", "on", "left_on", "right_on", "left_index", "right_index", "sort", "suffixes")
_JOIN = ("other", "on", "how", "lsuffix", "rsuffix")

_SUMS = re.compile("sum|assert")
"""What is in a cell that looks at sums or counts afterwards."""

_WRITTEN = frozenset({"on", "left_on", "right_on", "left_index", "right_index"})

_Given = dict[str, Any]


@dataclass(frozen=True)
class _Key:
    """The key of one side: its names and columns."""

    names: tuple[str, ...]
    columns: tuple[Any, ...]

    @cached_property
    def values(self) -> Any:
        """One value per row; putting several columns together takes long."""
        return self.columns[0] if len(self.columns) == 1 else pd.MultiIndex.from_arrays(self.columns)

    @property
    def levels(self) -> int:
        """Parts of a value."""
        return sum(column.nlevels for column in self.columns)


class Merging(Kind):
    """``df.merge(...)``, ``pd.merge(...)`` and ``df.join(...)``."""

    name = "merge"
    methods = frozenset(["merge", "join"])
    functions = frozenset(["merge"])
    arguments = frozenset([*_MERGE, *_JOIN, "left", *map(str, range(len(_MERGE) + 1))])

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        given = _bind(call.method, values)
        left, right, out = given["left"], given["other" if call.method == "join" else "right"], given["result"]
        if live.is_series(right) and right.name is not None:
            right = right.to_frame()
        if not (live.is_frame(left) and live.is_frame(right) and live.is_frame(out)):
            return None
        if max(len(left), len(right), len(out)) > ROWS:
            return None
        how = str(given.get("how", "left" if call.method == "join" else "inner"))
        facts: Facts = {
            "left_rows": len(left),
            "right_rows": len(right),
            "rows": len(out),
            "how": how,
            "left_keys": (),
            "right_keys": (),
            "same": left is right,
        }
        keys = _keys(call.method, given, left, right) if how in ("inner", "left", "right", "outer") else None
        if keys is None:
            return facts
        facts |= {"left_keys": keys[0].names, "right_keys": keys[1].names}
        ends = _suffixes(call.method, given)
        shared = set(left.columns) & set(right.columns)
        named = [
            _named(side, out, key.names, end, shared) for side, key, end in zip((left, right), keys, ends, strict=True)
        ]
        facts |= told_by_result(how, left, right, out, keys[1].columns, named[1]) or _matches(*keys)
        written = not _WRITTEN.isdisjoint(given) or call.method == "join"
        if len(keys[0].columns) == 1:
            facts |= beyond(keys[0].values) or beyond(keys[1].values)
        if facts["left_unmatched"]:
            facts |= _unmet(*keys, written=written)
            if how in ("left", "outer"):
                facts["gaps"] = tuple(n for c, n in named[1].items() if live.is_number_dtype(right.dtypes[c]))[:SUMMED]
            if set(map(str, right.columns)) <= {*keys[0].names, *keys[1].names}:
                facts["filters"] = True
        lost = facts["left_unmatched"] and how in ("inner", "right") and _SUMS.search(call.cell.body)
        if facts["left_multiplied"] or lost:
            facts["left_sums"], facts["right_sums"] = _sums(left, out, named[0]), _sums(right, out, named[1])
        return facts

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts.get("left_multiplied", 0) + facts.get("right_multiplied", 0))


def _bind(method: str, values: Mapping[str, Any]) -> _Given:
    """The arguments under their names, whichever way the call was written."""
    given = dict(values)
    order: tuple[str, ...] = _JOIN if method == "join" else _MERGE
    if live.is_pandas_module(values["receiver"]):
        order = ("left", *_MERGE)
    else:
        given["left"] = values["receiver"]
    given.update({name: values[str(i)] for i, name in enumerate(order) if str(i) in values})
    return given


def _keys(method: str, given: _Given, left: Any, right: Any) -> tuple[_Key, _Key] | None:
    """The keys of both sides; None where they are neither columns nor index levels."""
    on = given.get("on")
    if method == "join":
        sides = (_key(left, on, on is None), _key(right, None, True))
    elif on is not None:
        sides = (_key(left, on, False), _key(right, on, False))
    else:
        by_index = (given.get("left_index", False), given.get("right_index", False))
        names = (given.get("left_on"), given.get("right_on"))
        if not any(by_index) and names[0] is None and names[1] is None:
            common = [c for c in left.columns if c in right.columns]
            names = (common, common)
        sides = (_key(left, names[0], by_index[0]), _key(right, names[1], by_index[1]))
    if sides[0] is None or sides[1] is None or sides[0].levels != sides[1].levels:
        return None
    return sides[0], sides[1]


def _key(data: Any, on: Any, by_index: bool) -> _Key | None:
    if by_index:
        return _Key(tuple("" if n is None else str(n) for n in data.index.names), (_plain(data.index),))
    labels = list(on) if type(on) in (list, tuple) else [on]
    if not labels or not all(type(label) in (str, int) for label in labels):
        return None
    columns = []
    for label in labels:
        if label in data.columns:
            if data.columns.get_loc(label).__class__ is not int:
                return None
            columns.append(_plain(data[label]))
        elif label in data.index.names:
            columns.append(_plain(data.index.get_level_values(label)))
        else:
            return None
    return _Key(tuple(map(str, labels)), tuple(columns))


def _plain(values: Any) -> Any:
    """A key as an index; a categorical one by its values, since the sides' categories may differ."""
    if isinstance(values, pd.MultiIndex):
        return values
    return pd.Index(values.astype(object) if isinstance(values.dtype, pd.CategoricalDtype) else values)


def _matches(left: _Key, right: _Key) -> Facts:
    """How the rows of both sides meet, computed from the keys alone."""
    codes, distinct = pd.factorize(left.values, use_na_sentinel=False)
    distinct = pd.Index(distinct)
    there = distinct.get_indexer(right.values)
    of_left = np.bincount(codes, minlength=len(distinct))
    alone = there < 0
    met = there[~alone]
    of_right = np.bincount(met, minlength=len(distinct))
    missing = 0
    if not isinstance(distinct, pd.MultiIndex):
        gaps = distinct.isna() & (of_left > 0) & (of_right > 0)
        missing = int(of_left[gaps].sum() + of_right[gaps].sum())
    return {
        "left_repeats": len(codes) - len(distinct),
        # A key with a partner is in `distinct`; only those without one have to be compared with each other.
        "right_repeats": int(len(met) - np.count_nonzero(of_right) + right.values[alone].duplicated().sum()),
        "left_unmatched": int((of_right[codes] == 0).sum()),
        "right_unmatched": int(alone.sum()),
        "left_multiplied": int((of_right[codes] > 1).sum()),
        "right_multiplied": int((of_left[met] > 1).sum()),
        "missing_keys": missing,
    }


def _unmet(left: _Key, right: _Key, *, written: bool) -> Facts:
    """Why rows of the left side met none, as far as the keys tell; of long tables, a sample of the rows."""
    facts: Facts = {"many": True} if left.values[:LOOKED_AT].has_duplicates else {}
    if len(right.values) > LOOKED_AT:
        return facts
    mine, theirs = sample(left.values), right.values.unique()
    alone = mine[~mine.isin(theirs)]
    near: set[Any] = set()
    for known in (mine, left.values):  # all rows only when some of them say that there is something to tell
        if not are_whole(mine, theirs):
            near = alike(alone.unique().tolist(), theirs.tolist(), theirs[~theirs.isin(known)].tolist())
        if not near:
            break
    if near:
        facts["left_alike"] = int(mine.isin(list(near)).sum())
    if not written and left.levels > 1:
        facts["key_alone"] = _key_alone(left, right, alone)
    return facts


def _key_alone(left: _Key, right: _Key, alone: Any) -> dict[str, int]:
    """Columns that would have been key enough, with the rows that the other columns kept from meeting."""
    found = {}
    for i, (name, mine, theirs) in enumerate(zip(left.names, left.columns, right.columns, strict=True)):
        met = int(alone.get_level_values(i).isin(theirs).sum())
        if met and (theirs.is_unique or mine.is_unique):
            found[name] = met
    return found


def _named(before: Any, after: Any, keys: tuple[str, ...], suffix: str, shared: set[Any]) -> dict[str, str]:
    """What the columns of a side that are no keys are called in the result, as far as that is certain."""
    if not before.columns.is_unique or not after.columns.is_unique:
        return {}
    labels = [label for label in before.columns if type(label) is str and label not in keys]
    named = {label: f"{label}{suffix}" if label in shared else label for label in labels}
    return {label: name for label, name in named.items() if name in after.columns}


def _suffixes(method: str, given: _Given) -> tuple[str, str]:
    if method == "join":
        return str(given.get("lsuffix", "")), str(given.get("rsuffix", ""))
    left, right = given.get("suffixes", ("_x", "_y"))
    return left or "", right or ""


def _sums(before: Any, after: Any, named: Mapping[str, str]) -> dict[str, float]:
    """Sum afterwards in units of the sum before, by the column's name in `before`."""
    ratios: dict[str, float] = {}
    numbers = (label for label in named if live.is_number_dtype(before[label].dtype))
    for label in islice(numbers, SUMMED):
        whole = float(before[label].sum())
        if whole:
            ratios[label] = round(float(after[named[label]].sum()) / whole, 6)
    return ratios
