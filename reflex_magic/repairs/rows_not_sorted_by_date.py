"""`rows-not-sorted-by-date`: what goes from row to row meets rows that are not in the order of their dates."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, above, column


class RowsNotSortedByDate(Answer):
    """What goes from row to row meets rows that are not in the order of their dates.

    The table is sorted by its date column first.

    Example
    -------
    ::

        import pandas as pd
        days = pd.to_datetime(["2024-03-03", "2024-03-01", "2024-03-04", "2024-03-02"])
        tank = pd.DataFrame({"day": days, "litres": [70.0, 100.0, 55.0, 85.0]})
        %%reflect
        tank["used"] = -tank["litres"].diff()  # from day to day
        %%repaired
        tank = tank.sort_values("day")
        tank["used"] = -tank["litres"].diff()  # from day to day
    """

    name = "rows-not-sorted-by-date"
    kind = "row_order"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        order = at.facts.get("order")
        match at.node:
            case ast.Call(func=ast.Attribute(value=holder)) if order and (place := column(holder)):
                name = place[0]
                line = f"{name} = {name}.sort_values({syntax.literal(order)})"
                yield Way(f"sort by `{order}` first", above(at.cell, at.node, line))
