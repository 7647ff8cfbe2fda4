"""`rows-counted-as-periods`: rows are counted as days or months, and some of these have no row."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs.answer import Answer, Found, Way, through


class RowsCountedAsPeriods(Answer):
    """Rows are counted as days or months, and some of these have no row.

    Offered: the missing ones are put in first (`asfreq`), with missing values.

    Example
    -------
    ::

        import pandas as pd
        months = pd.date_range("2022-01-01", periods=30, freq="MS").delete(7)
        sales = pd.Series(range(29), index=months)
        %%reflect
        growth = sales / sales.shift(12) - 1
        %%offered
        growth = sales / sales.asfreq("MS").shift(12) - 1
    """

    name = "rows-counted-as-periods"
    kind = "row_steps"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(value=holder)):
                index = f"({ast.unparse(holder)}).index"
                firsts = at.values(f"{index}.is_month_start") if at.facts.get("step") == "M" else ()
                days = at.values(f"{index}.day") if not firsts else ()
                alias = {"h": "h", "D": "D"}.get(str(at.facts.get("step")), "MS" if days == (1,) else "")
                if alias:
                    yield Way(
                        f"put the missing ones in: asfreq({alias!r})",
                        through(at.cell, at.node, f'asfreq("{alias}")'),
                        sure=False,
                    )
