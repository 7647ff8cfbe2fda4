"""`years-mixed-in-months`: rows are added up by month alone, over several years."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class YearsMixedInMonths(Answer):
    """Rows are added up by month alone, over several years.

    Offered: the months of each year, as periods or as texts such as "2024-03".

    Example
    -------
    ::

        import pandas as pd
        rides = pd.DataFrame({"day": pd.date_range("2023-01-01", "2024-02-29"), "n": 1})
        %%reflect
        monthly = rides.groupby(rides["day"].dt.month)["n"].sum()
        %%offered
        monthly = rides.groupby(rides["day"].dt.to_period("M"))["n"].sum()
    """

    name = "years-mixed-in-months"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Attribute(attr="month" | "quarter" as part) as member:
                unit = part[0].upper()
                periods = syntax.rename_member(at.cell, member, f'to_period("{unit}")')
                yield Way(f"each {part} of each year, as periods", [periods], sure=False)
                if part == "month":
                    texts = syntax.rename_member(at.cell, member, 'strftime("%Y-%m")')
                    yield Way("each month of each year, as text", [texts], sure=False)
