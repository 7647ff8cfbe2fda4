"""Values that are put into bins.

Facts of kind `bins`, of ``pd.cut``, ``pd.qcut`` and ``np.histogram`` with edges
    Only where values are in no bin. method. values: those that are there. lost: those in no bin. on_edge: those
    of them that are the lowest or the highest edge itself. below, above: those outside of the edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind


class Binning(Kind):
    """``pd.cut(values, edges)``."""

    name = "bins"
    methods = frozenset({"cut", "histogram"})
    functions = frozenset({"cut", "histogram"})
    arguments = frozenset({"0", "1", "x", "a", "bins"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return receiver is pd or receiver is np

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data: Any = next((values[name] for name in ("0", "x", "a") if name in values), None)
        bins: Any = values.get("1", values.get("bins"))
        result = values["result"]
        if not (live.is_series(data) or type(data) is np.ndarray) or not 0 < len(data) <= ROWS:
            return None
        if type(bins) not in (list, tuple, np.ndarray, range) or len(bins) < 2:
            return None
        missing = pd.isna(data)
        kept = int(result[0].sum()) if call.method == "histogram" else int(len(data) - pd.isna(result).sum())
        lost = len(data) - int(missing.sum()) - kept
        if lost <= 0:
            return None
        edges, there = np.sort(np.asarray(bins)), data[~missing]
        outer = np.asarray(there, dtype=edges.dtype if edges.dtype.kind == "M" else float)
        return {
            "method": call.method,
            "values": len(there),
            "lost": lost,
            "on_edge": int(((outer == edges[0]) | (outer == edges[-1])).sum()) if call.method == "cut" else 0,
            "below": int((outer < edges[0]).sum()),
            "above": int((outer > edges[-1]).sum()),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["lost"])
