"""`rows-of-several-groups`: `diff`, `shift` or `cumsum` runs on from one group's rows into those of the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Span
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, label_of


class RowsOfSeveralGroups(Answer):
    """`diff`, `shift` or `cumsum` runs on from one group's rows into those of the next.

    The rows are grouped by the column that says whose they are. A moving window is taken within `transform`, so
    that the result keeps one value a row.

    Example
    -------
    ::

        import pandas as pd
        readings = pd.DataFrame({"meter": ["a", "a", "b", "b"], "value": [10, 14, 500, 506]})
        %%reflect
        readings["used"] = readings["value"].diff()
        used = readings.groupby("meter")["used"].sum()
        %%repaired
        readings["used"] = readings.groupby("meter")["value"].diff()
        used = readings.groupby("meter")["used"].sum()
    """

    name = "rows-of-several-groups"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        key = at.finding.evidence.get("key")
        match at.node:
            case (
                ast.Call(
                    func=ast.Attribute(value=ast.Subscript(value=frame) | ast.Attribute(value=frame) as holder)
                ) as call
            ):
                pass
            case _:
                return
        if not isinstance(key, str) or not label_of(holder):
            return
        grouped = (
            f"{syntax.receiver(at.cell, frame)}.groupby({syntax.literal(key)})[{syntax.literal(label_of(holder))}]"
        )
        title = f"within each `{key}`"
        if getattr(call.func, "attr", "") not in ("rolling", "expanding", "ewm"):
            yield Way(title, [syntax.replace(at.cell, holder, grouped)])
            return
        member = syntax.parent(at.cell, call)
        outer = syntax.parent(at.cell, member) if isinstance(member, ast.Attribute) else None
        if isinstance(outer, ast.Call) and outer.func is member:
            start, end = at.cell.span(holder), at.cell.span(outer)
            window = at.cell.text(Span(start.end_line, start.end_column, end.end_line, end.end_column))
            yield Way(title, [syntax.replace(at.cell, outer, f"{grouped}.transform(lambda v: v{window})")])
