"""Columns assigned to a frame, which pandas lines up by index labels.

Facts of kind `assign`
    column: its name. rows: rows of the frame. value_rows: rows of the assigned series. matched:
    rows of the frame whose label the series has. index: name of the series' index ("" where it
    has none, or several levels). named_column: whether the frame has a column of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind


class Alignment(Kind):
    """``frame["column"] = series`` where the two have different indexes."""

    name = "assign"
    operators = frozenset(["[]="])

    def accepts(self, receiver: Any) -> bool:
        """Whether the assigned value is a series; the frame is seen only after it."""
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        value, frame = values["receiver"], values["result"]
        if not live.is_frame(frame) or max(len(frame), len(value)) > ROWS or value.index.equals(frame.index):
            return None
        name = value.index.name if value.index.nlevels == 1 else None
        return {
            "column": call.method,
            "rows": len(frame),
            "value_rows": len(value),
            "matched": int(frame.index.isin(value.index).sum()) if value.index.nlevels == frame.index.nlevels else 0,
            "index": "" if name is None else str(name),
            "named_column": name is not None and name in frame.columns,
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["rows"] - facts["matched"])
