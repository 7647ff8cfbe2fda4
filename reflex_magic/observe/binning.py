"""Values that are put into bins.

Facts of kind `bins`, of ``pd.cut``, ``pd.qcut`` and ``np.histogram`` with edges
    Only where values are in no bin. method. values: those that are there. lost: those in no bin. on_edge: those
    of them that are the lowest or the highest edge itself. below, above: those outside of the edges.

Facts of kind `bin_labels`, of ``pd.cut(values, edges, labels=texts)``
    Only where values are an inner edge, and are labelled as if it belonged to the other bin. values. mislabelled.
"""

from __future__ import annotations

import re
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


class BinLabels(Kind):
    """``pd.cut(ages, [0, 18, 65], labels=["under 18", "18-64"])``, where 18 is labelled "under 18"."""

    name = "bin_labels"
    methods = frozenset({"cut"})
    functions = frozenset({"cut"})
    arguments = frozenset({"0", "1", "x", "bins", "labels", "right"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return receiver is pd

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data: Any = values.get("0", values.get("x"))
        bins, labels = values.get("1", values.get("bins")), values.get("labels")
        if type(bins) is not list or type(labels) is not list or len(labels) != len(bins) - 1 or len(labels) < 2:
            return None
        if not live.is_series(data) or len(data) > ROWS or not all(type(t) is str for t in labels):
            return None
        right = bool(values.get("right", True))
        wrong = [
            edge
            for edge, low, high in zip(bins[1:-1], labels, labels[1:], strict=False)
            if (
                _begins_with(high, edge) and not _ends_with(low, edge)
                if right
                else _ends_with(low, edge) and not _begins_with(high, edge)
            )
        ]
        mislabelled = int(data.isin(wrong).sum()) if wrong else 0
        return {"values": int(data.count()), "mislabelled": mislabelled, "right": right} if mislabelled else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["mislabelled"])


_NUMBER = r"(-?\d+(?:\.\d+)?)"
_LOWER = re.compile(
    rf"(?:>=|≥|from|ab)\s*{_NUMBER}\D*|{_NUMBER}\s*(?:-|–|—|to|bis|\+|(?:and|or) (?:over|above|more|older)).*",
    re.IGNORECASE,
)
_UPPER = re.compile(rf"(?:.*?\d\s*(?:-|–|—|to|bis)|<=|≤|up to|to|bis)\s*{_NUMBER}\D*", re.IGNORECASE)


def _begins_with(label: str, edge: Any) -> bool:
    """Whether a label says that its bin begins with the edge: "18-64", "18+", ">= 18"."""
    found = _LOWER.fullmatch(label.strip())
    return found is not None and float(found[1] or found[2]) == edge


def _ends_with(label: str, edge: Any) -> bool:
    """Whether a label says that its bin ends with the edge: "0-18", "up to 18", "<= 18"."""
    found = _UPPER.fullmatch(label.strip())
    return found is not None and float(found[1]) == edge
