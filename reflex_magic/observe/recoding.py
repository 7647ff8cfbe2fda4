"""Recoding by a table: ``series.map(table)`` and ``series.replace(table)``.

Facts of kind `recode`
    values: values that are not missing. unmatched: those that the table does not have. variants:
    those of them that differ from a key of the table only in upper and lower case or in blanks. Where no one of
    1,000 values, evenly spaced, does, the counts are of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reflex_magic.observe import live
from reflex_magic.observe.keys import fold, sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

DISTINCT = 10_000
"""Most distinct values, and most keys, that are compared."""


class Recoding(Kind):
    """``series.map(table)`` and ``series.replace(table)`` where the table is a dict or a series."""

    name = "recode"
    methods = frozenset({"map", "replace"})
    arguments = frozenset({"0", "arg", "func", "to_replace"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) and live.is_text_dtype(receiver.dtype)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        table: Any = next((values[name] for name in ("0", "arg", "func", "to_replace") if name in values), None)
        if live.is_series(table) and call.method == "map":
            keys = table.index.tolist() if len(table) <= DISTINCT else None
        else:
            keys = list(table) if type(table) is dict and len(table) <= DISTINCT else None
        if not keys or len(data) > ROWS or "regex" in call.keywords:
            return None
        known = {fold(key) for key in keys if isinstance(key, str)}
        for some in (sample(data), data):  # all only where some have another spelling
            there = some.dropna()
            unmatched = there[~there.isin(keys)]
            distinct = unmatched.unique()[:DISTINCT]
            variants = [value for value in distinct if isinstance(value, str) and fold(value) in known]
            if not variants:
                break
        return {
            "values": len(there),
            "unmatched": len(unmatched),
            "variants": int(unmatched.isin(variants).sum()),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["variants"])
