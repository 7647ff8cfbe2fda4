"""`hours-moved-by-clock-change`: days are added as 24 hours over a change of the clock."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class HoursMovedByClockChange(Answer):
    """Days are added as 24 hours over a change of the clock.

    Offered: ``pd.DateOffset(days=1)``, which keeps the time of day.

    Example
    -------
    ::

        import pandas as pd
        days = pd.Series(pd.date_range("2024-10-26", periods=3, tz="Europe/Berlin"))
        %%reflect
        ends = days + pd.Timedelta(days=1)
        %%offered
        ends = days + pd.DateOffset(days=1)
    """

    name = "hours-moved-by-clock-change"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        for call in ast.walk(at.node):
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=module)) as function, args=[]) if (
                    syntax.function_of(at.cell, call, "pandas") == "Timedelta"
                ):
                    if [k.arg for k in call.keywords] == ["days"]:
                        edit = syntax.replace(at.cell, function, f"{module}.DateOffset")
                        yield Way("add days of the calendar", [edit], sure=False)
