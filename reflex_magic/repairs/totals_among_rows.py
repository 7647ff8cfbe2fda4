"""`totals-among-rows`: rows labelled as totals are added up with the rows that they are the totals of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, column


class TotalsAmongRows(Answer):
    """Rows labelled as totals are added up with the rows that they are the totals of.

    Offered: the rows with that label are left out.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"region": ["north", "south", "Total"], "eur": [3, 5, 8]})
        %%reflect
        eur = sales["eur"].sum()
        %%offered
        eur = sales.loc[sales["region"] != "Total", "eur"].sum()
    """

    name = "totals-among-rows"
    kind = "average"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        totals = at.facts.get("totals", {})
        label = totals.get("column")
        match at.node:
            case ast.Call(func=ast.Attribute(value=holder)) if label and (place := column(holder)):
                words = [
                    v for v in at.values(f"{place[0]}[{label!r}]") if isinstance(v, str) and _TOTAL.fullmatch(v.strip())
                ]
                if len(words) == 1:
                    rows = f"{place[0]}[{syntax.literal(label)}] != {syntax.literal(words[0])}"
                    source = f"{place[0]}.loc[{rows}, {syntax.literal(place[1])}]"
                    evidence = f"{at.finding.message}; leaves {totals['rows']} of {at.facts['rows']} rows out"
                    yield Way(
                        f"without the rows {words[0]!r}",
                        [syntax.replace(at.cell, holder, source)],
                        evidence,
                        sure=False,
                    )


_TOTAL = re.compile(
    r"(grand |over ?all |sub[ -]?)?totals?|sum|all|(gesamt|zwischen)?summe|gesamt|insgesamt|total.*", re.I
)
