"""`dates-read-swapped`: `parse_dates` reads day and month the other way round than the file shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class DatesReadSwapped(Answer):
    r"""`parse_dates` reads day and month the other way round than the file shows.

    Written with ``dayfirst=True``, or without it. Offered where only the order of the rows tells.

    Example
    -------
    ::

        import io
        import pandas as pd
        days = ["01/02/2024", "05/02/2024", "11/02/2024", "02/03/2024", "09/03/2024"]
        file = io.StringIO("day,eur\n" + "".join(f"{day},1\n" for day in days))
        %%reflect
        sales = pd.read_csv(file, parse_dates=["day"])
        monthly = sales.groupby(sales["day"].dt.month)["eur"].sum()
        %%offered
        sales = pd.read_csv(file, parse_dates=["day"], dayfirst=True)
        monthly = sales.groupby(sales["day"].dt.month)["eur"].sum()
    """

    name = "dates-read-swapped"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if not isinstance(at.node, ast.Call) or not at.first:
            return
        given = syntax.keyword(at.node, "dayfirst")
        edit = (
            syntax.drop_keyword(at.cell, at.node, "dayfirst")
            if given is not None and syntax.constant(given.value) is True
            else syntax.add_keyword(at.cell, at.node, "dayfirst", "True")
        )
        if edit is not None:
            yield Way("the other number is the day", [edit], sure=bool(at.finding.evidence.get("mixed")))
