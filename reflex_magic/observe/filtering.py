"""Conditions put together, turned round, and counted.

Facts of kind `mask`, of ``a & b`` and ``a | b`` where one is a series
    left, right: what they hold ("truth", "number", ...). rows, kept: of the result, and of those true. differ: where
    one side is a number, rows whose result is another than if it meant "is not 0".

Facts of kind `invert`, of ``~series``
    Only where the series does not hold truth values by its dtype. holds: what it holds. rows. flags: only 0 and 1, or
    True and False. truth: the result holds truth values.

Facts of kind `between`, of ``series.between(low, high)``
    rows, kept. crossed: the lower end is above the upper.

Facts of kind `shares`, of ``series.value_counts(normalize=True)``
    rows, missing, column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind
from reflex_magic.observe.readings import kind_of, some


class Mask(Kind):
    """``a & b`` and ``a | b``."""

    name = "mask"
    operators = frozenset({"&", "|"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or isinstance(receiver, (bool, int, np.generic))

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        left, right, result = values["receiver"], values["0"], values["result"]
        if not live.is_series(result) or len(result) > ROWS:
            return None
        kinds = (kind_of(left), kind_of(right))
        facts = {"left": kinds[0], "right": kinds[1], "rows": len(result), "kept": 0, "differ": 0}
        if result.dtype == bool:
            facts["kept"] = int(np.count_nonzero(result))
        if set(kinds) == {"truth", "number"}:
            sides = [s != 0 if k == "number" else s for s, k in zip((left, right), kinds, strict=True)]
            meant = sides[0] & sides[1] if call.method == "&" else sides[0] | sides[1]
            facts["differ"] = int((result.astype(bool) != meant).sum())
        return facts

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["differ"])


class Invert(Kind):
    """``~series``."""

    name = "invert"
    operators = frozenset({"~"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        if pd.api.types.is_bool_dtype(data.dtype):
            return None
        seen = [v for v in some(data) if kind_of(v) != "missing"]
        return {
            "holds": kind_of(data),
            "rows": len(data),
            "flags": bool(seen) and all(isinstance(v, (bool, int, np.generic)) and v in (0, 1) for v in seen),
            "truth": pd.api.types.is_bool_dtype(values["result"].dtype),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["flags"] and not facts["truth"])


class Between(Kind):
    """``series.between(low, high)``."""

    name = "between"
    methods = frozenset({"between"})
    arguments = frozenset({"0", "1", "left", "right"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        low, high = values.get("0", values.get("left")), values.get("1", values.get("right"))
        if live.is_series(low) or live.is_series(high):
            return None
        return {
            "rows": len(values["receiver"]),
            "kept": int(np.count_nonzero(values["result"])),
            "crossed": bool(low > high),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["crossed"])


class Shares(Kind):
    """``series.value_counts(normalize=True)``."""

    name = "shares"
    methods = frozenset({"value_counts"})
    arguments = frozenset({"0", "normalize"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        if not values.get("normalize", values.get("0")) or "dropna" in call.keywords or len(data) > ROWS:
            return None
        return {"rows": len(data), "missing": int(data.isna().sum()), "column": str(data.name)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["missing"])
