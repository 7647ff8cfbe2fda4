"""`day-and-month-swapped`: dates are read with day and month the other way round than the data show."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class DayAndMonthSwapped(Answer):
    """Dates are read with day and month the other way round than the data show.

    Dates of which a number above 12 can only be the day are read by `pd.to_datetime` with ``dayfirst=True``; the
    other way round, and for dates in ISO order, without it. Offered where only the order of the rows tells.

    Silent where some dates can only have the day first and others only the month.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"day": ["28/02/2024", "03/04/2024", "07/04/2024"], "eur": [1, 2, 3]})
        %%reflect
        sales["day"] = sales["day"].apply(pd.Timestamp)
        %%repaired
        sales["day"] = pd.to_datetime(sales["day"], dayfirst=True)
    """

    name = "day-and-month-swapped"
    kind = "parse_dates"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        f = at.facts
        if f.get("day_only") and f.get("month_only"):
            return
        day_first = not f.get("iso_swapped") and bool(f.get("read_month"))
        sure = bool(f.get("iso_swapped") or f.get("day_only") or f.get("month_only"))
        title = f"the {'day' if day_first else 'month'} first"
        match at.node:
            case ast.Call(func=ast.Attribute(value=holder, attr="apply" | "map")) as call:
                name, edits = syntax.import_edits(at.cell, at.context, "pandas")
                read = f"{name}.to_datetime({at.text(holder)}{', dayfirst=True' if day_first else ''})"
                yield Way(title, [*edits, syntax.replace(at.cell, call, read)], sure=sure)
            case ast.Call() as call if syntax.function_of(at.cell, call, "pandas") == "to_datetime":
                given = syntax.keyword(call, "format")
                if given is not None and syntax.constant(given.value) not in ("mixed", "ISO8601"):
                    return
                edit = (
                    syntax.add_keyword(at.cell, call, "dayfirst", "True")
                    if day_first
                    else syntax.drop_keyword(at.cell, call, "dayfirst")
                )
                if edit is not None:
                    yield Way(title, [edit], sure=sure)
