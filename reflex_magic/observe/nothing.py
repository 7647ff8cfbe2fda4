"""What is added up or averaged although nothing is there.

Facts of kind `nothing`, of ``series.sum()``, ``series.mean()`` and their like
    Only where no value is there. method. rows: 0, or the rows of which each is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind


class Nothing(Kind):
    """``series.mean()`` of no rows, or of missing values only."""

    name = "nothing"
    methods = frozenset({"sum", "mean", "median", "min", "max", "std"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        if len(data) and (len(data) > ROWS or not pd.isna(data.iloc[0]) or not data.isna().all()):
            return None
        return {"method": call.method, "rows": len(data)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 1.0
