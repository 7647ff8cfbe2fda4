"""Looking values up, and the tables they are looked up in.

Facts of kind `lookup`, of ``series.map(table)`` with a dict or a series
    name: of the series. values: values that are not missing. unmatched: those that became missing.
    alike: those of them that differ from a key of the table only in how they are written. unique: no
    value occurs twice among the first `HEAD`. by_row: the table is a series whose rows are numbered from 0.
    table_rows: keys of the table. flags, where some are unmatched: its values are 0 and 1 only.

Facts of kind `membership`, of ``series.isin(values)``
    values: all of them. matched: rows that are in. listed: distinct values to be found. frame: they are
    the column names of a whole frame. alike: rows that are not in and differ from a listed value only in how they
    are written; none where no one of `SEEN` rows, evenly spaced, does.

Facts of kind `table`, of ``series.to_dict()``, ``frame.to_dict()`` and ``zip(keys, values)``
    Only where keys repeat, among the first `HEAD` pairs. rows: pairs that went in. repeats: pairs whose key
    stands in an earlier one. differing: pairs whose key stands in another pair with another value.

Facts of kind `deduplicate`, of ``frame.drop_duplicates(...)``
    rows, dropped: before, and what was dropped. compared: the columns that were. part: these are not all.
    differing: for other numeric columns, how many of the dropped rows have a value there that no row kept or dropped
    before has under the same key, among the first `HEAD` rows; only in a cell that adds up.

Where `beyond` is there, so many keys are floats too long to tell neighbours apart, among those looked at.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.keys import DISTINCT, alike, are_whole, beyond, is_numbered, sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

COLUMNS = 10
"""Columns whose values are compared where a key repeats."""

HEAD = 5_000
"""First rows in which repeated keys are looked at."""

SEEN = 250
"""Rows of a column that are compared with a list of values."""


class Lookup(Kind):
    """``series.map(table)``."""

    name = "lookup"
    methods = frozenset({"map"})
    arguments = frozenset({"0", "arg", "func"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, out = values["receiver"], values["result"]
        table: Any = next((values[name] for name in ("0", "arg", "func") if name in values), None)
        if not (live.is_series(table) or type(table) is dict) or not live.is_series(out) or len(data) > ROWS:
            return None
        index = table.index if live.is_series(table) else None
        there = data.notna().to_numpy()
        lost = there & out.isna().to_numpy()
        facts: Facts = {
            "name": str(data.name),
            "values": int(there.sum()),
            "unmatched": 0,
            "alike": 0,
            "unique": False,
            "by_row": is_numbered(index),
            "table_rows": len(table),
            **beyond(data),
        }
        if not lost.any():
            return facts
        distinct = data[lost].unique()
        # a key that the table has with a missing value is no key without a match
        known = table if index is None else set(index[index.isin(distinct)])
        alone = [value for value in distinct.tolist() if value not in known]
        keys = list(table) if index is None else index.tolist()
        near = _near(data, alone, keys) if len(keys) <= DISTINCT else set()
        return facts | {
            "unmatched": int(data[lost].isin(alone).sum()),
            "alike": int(data[lost].isin(near).sum()) if near else 0,
            "unique": bool(data.iloc[:HEAD].is_unique),
            "flags": _are_flags(table.values() if index is None else table.unique()),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["unmatched"])


def _are_flags(values: Iterable[Any]) -> bool:
    """Whether these values only say yes or no."""
    return all(
        type(value) in (int, bool, float, np.int64, np.float64, np.bool_) and value in (0, 1) for value in values
    )


def _near(data: Any, alone: list[Any], keys: list[Any]) -> set[Any]:
    """Those of the values `alone` that a key differs from only in how it is written."""
    found: set[Any] = set()
    for seen in (sample(data), data):
        known = set(seen.unique().tolist())
        found = alike(alone, keys, [key for key in keys if key not in known])
        if not found:
            break
    return found


class Membership(Kind):
    """``series.isin(values)``."""

    name = "membership"
    methods = frozenset({"isin"})
    arguments = frozenset({"0", "values"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, out = values["receiver"], values["result"]
        wanted = values.get("0", values.get("values"))
        if len(data) > ROWS or not live.is_series(out):
            return None
        facts: Facts = {"values": len(data), "matched": int(out.sum()), "frame": live.is_frame(wanted), "alike": 0}
        if live.is_series(wanted) or isinstance(wanted, pd.Index):
            facts |= beyond(data) or beyond(wanted)
            if are_whole(data, wanted):
                return facts
            distinct = wanted.unique()[:DISTINCT].tolist()
        elif type(wanted) in (pd.DataFrame, list, tuple, set, frozenset, np.ndarray, dict):
            facts |= beyond(data)
            distinct = list(dict.fromkeys(list(wanted)[:DISTINCT]))
        else:
            return None
        facts["listed"] = len(distinct)
        if are_whole(data) and all(type(key) in (int, float) for key in distinct):
            return facts
        seen = sample(data, SEEN)
        alone = seen[~sample(out, SEEN).to_numpy(bool)].unique().tolist()
        near = _near(data, alone, distinct) if alone else set()
        if near:
            facts["alike"] = int(data.isin(near).sum())
        return facts

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["alike"] or facts["frame"])


class Table(Kind):
    """``series.to_dict()``, ``frame.to_dict()``, and ``zip(keys, values)`` of two columns."""

    name = "table"
    methods = frozenset({"to_dict"})
    functions = frozenset({"zip"})
    arguments = frozenset({"0", "1"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver) or receiver is builtins

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        held = values["receiver"]
        if call.method == "zip":
            keys, told = values["0"], values["1"]
            if not (live.is_series(keys) and live.is_series(told)) or len(keys) != len(told):
                return None
        else:
            # Of a frame only the shapes by column have the index as keys, and repeated ones only they lose.
            if live.is_frame(held) and (values.get("0", "dict") != "dict" or "orient" in call.keywords):
                return None
            keys, told = held.index, held
        keys, told = keys[:HEAD], told[:HEAD]
        if keys.is_unique:
            return None
        pairs = pd.DataFrame({"key": pd.factorize(keys)[0]})
        columns = [told] if live.is_series(told) else [told.iloc[:, i] for i in range(min(told.shape[1], COLUMNS))]
        for i, column in enumerate(columns):
            pairs[f"value {i}"] = column.to_numpy()
        groups = pairs[pairs.duplicated("key", keep=False)].groupby("key")
        several = groups.nunique(dropna=False).max(axis=1) > 1
        return {
            "rows": len(keys),
            "repeats": int(keys.duplicated().sum()),
            "differing": int(groups.size()[several].sum()),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["differing"])


class Deduplicating(Kind):
    """``frame.drop_duplicates(...)``."""

    name = "deduplicate"
    methods = frozenset({"drop_duplicates"})
    arguments = frozenset({"0", "subset"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, out = values["receiver"], values["result"]
        subset = values.get("0", values.get("subset"))
        by = [subset] if isinstance(subset, str) else list(subset) if type(subset) in (list, tuple) else []
        if not live.is_frame(out) or len(out) == len(data) or len(data) > ROWS or not data.columns.is_unique:
            return None
        facts: Facts = {
            "rows": len(data),
            "dropped": len(data) - len(out),
            "part": bool(by) and len(set(by)) < data.shape[1],
            "compared": tuple(map(str, by)),
            "differing": {},
        }
        if not facts["part"]:
            return facts
        if "sum" not in call.cell.body:  # nobody adds up what differs
            return facts
        head = data.iloc[:HEAD]
        kept = int((~head.duplicated(by)).sum())
        for label in [c for c in data.columns if c not in by and live.is_number_dtype(data.dtypes[c])][:COLUMNS]:
            if others := int((~head.duplicated([*by, label])).sum()) - kept:
                facts["differing"][str(label)] = others
        return facts

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(sum(facts["differing"].values()))
