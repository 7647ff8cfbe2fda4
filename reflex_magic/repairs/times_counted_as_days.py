"""`times-counted-as-days`: rows are grouped or counted by times, and days are meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, through


class TimesCountedAsDays(Answer):
    """Rows are grouped or counted by times, and days are meant.

    Times are cut to their day where they are counted. For groups, days as times and as dates are offered.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"at": pd.to_datetime(["2024-03-01 09:00", "2024-03-01 18:45", "2024-03-02 10:00"])})
        %%reflect
        days = visits["at"].nunique()
        %%repaired
        days = visits["at"].dt.normalize().nunique()
    """

    name = "times-counted-as-days"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(attr="nunique")):
                yield Way("count the days", through(at.cell, at.node, "dt.normalize()"))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=table), attr="groupby"), args=[ast.Constant(value=str()) as key]
            ):
                for member, kind in (("normalize()", "times"), ("date", "dates")):
                    edit = syntax.replace(at.cell, key, f"{table}[{at.text(key)}].dt.{member}")
                    yield Way(f"group by the day, as {kind}", [edit], sure=False)
            case ast.Call(func=ast.Attribute(attr="value_counts" | "unique")):
                for member, kind in (("dt.normalize()", "times"), ("dt.date", "dates")):
                    yield Way(f"count the days, as {kind}", through(at.cell, at.node, member), sure=False)
