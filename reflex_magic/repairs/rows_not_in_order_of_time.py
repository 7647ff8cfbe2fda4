"""`rows-not-in-order-of-time`: steps from row to row go back in time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, above, column, through


class RowsNotInOrderOfTime(Answer):
    """Steps from row to row go back in time.

    A table with dates as its index is sorted by it where it is used; a table with a column of times is sorted by
    that.

    Offered only where a column says whose row it is: then the steps may belong within its groups.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"at": pd.to_datetime(["2024-01-02", "2024-01-01", "2024-01-05", "2024-01-09"])})
        %%reflect
        gap = log["at"].diff()
        %%repaired
        log = log.sort_values("at")
        gap = log["at"].diff()
    """

    name = "rows-not-in-order-of-time"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        ops = [o for o in at.context.run.operations if o.span == at.finding.span]
        sure = not any(o.facts.get("groups") for o in ops)
        if any(o.kind == "time_order" for o in ops):
            yield Way("sort by the index first", through(at.cell, at.node, "sort_index()"), sure=sure)
            return
        places = [place for n in ast.walk(at.node) if (place := column(n))]
        if len(set(places)) == 1:
            name, label = places[0]
            line = f"{name} = {name}.sort_values({syntax.literal(label)})"
            yield Way(f"sort by `{label}` first", above(at.cell, at.node, line), sure=sure)
        elif isinstance(at.node, ast.Call):
            yield Way("sort the times first", through(at.cell, at.node, "sort_values()"), sure=sure)
