"""`dates-in-order-of-letters`: dates, months or weekdays as text are not in the order of time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import dates, syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class DatesInOrderOfLetters(Answer):
    """Dates, months or weekdays as text are not in the order of time.

    Dates that are compared with a date are read in the one format that reads all. Groups by month or weekday are
    offered in the order in which they stand in the table, ``sort=False``.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"month": ["Jan", "Feb", "Mar", "Apr"], "eur": [1, 2, 3, 4]})
        %%reflect
        so_far = sales.groupby("month")["eur"].sum().cumsum()
        %%offered
        so_far = sales.groupby("month", sort=False)["eur"].sum().cumsum()
    """

    name = "dates-in-order-of-letters"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Compare(left=left, ops=[_], comparators=[ast.Constant(value=str(day)) as bound]):
                formats = dates.concrete([*(v for v in at.values(left) if isinstance(v, str)), day])
                if len(formats) == 1:
                    pd, form = syntax.alias(at.cell, "pandas"), syntax.literal(formats[0])
                    edits = [
                        syntax.replace(at.cell, n, f"{pd}.to_datetime({at.text(n)}, format={form})")
                        for n in (left, bound)
                    ]
                    yield Way(f"compare as dates, {formats[0]}", edits)
            case ast.Call():
                for call in ast.walk(at.node):
                    if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "groupby":
                        edit = syntax.add_keyword(at.cell, call, "sort", "False")
                        yield Way("in the order of the table", [edit], sure=False)
