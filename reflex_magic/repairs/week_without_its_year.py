"""`week-without-its-year`: iSO weeks are put together with the calendar year."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class WeekWithoutItsYear(Answer):
    """ISO weeks are put together with the calendar year.

    The year becomes that of the week: ``%G`` in a format, ``.dt.isocalendar().year`` of the same dates elsewhere.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"day": pd.to_datetime(["2024-01-03", "2024-12-30"]), "eur": [1, 2]})
        %%reflect
        week = sales["day"].dt.strftime("%Y-W%V")
        %%repaired
        week = sales["day"].dt.strftime("%G-W%V")
    """

    name = "week-without-its-year"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        title = "the year that the week belongs to"
        match at.node:
            case ast.Call(args=[ast.Constant(value=str(form)) as written]) if "%Y" in form:
                new = syntax.quoted(at.cell, written, form.replace("%Y", "%G"))
                yield Way(title, [syntax.replace(at.cell, written, new)])
                return
        dates = {
            ast.unparse(n.value) for n in ast.walk(at.node) if isinstance(n, ast.Attribute) and n.attr == "isocalendar"
        }
        edits = [
            syntax.rename_member(at.cell, n, "isocalendar().year")
            for n in syntax.nodes(at.cell)
            if isinstance(n, ast.Attribute) and n.attr == "year" and ast.unparse(n.value) in dates
        ]
        yield Way(title, edits)
