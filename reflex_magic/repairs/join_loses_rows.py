"""`join-loses-rows`: an inner join drops rows without a partner, and what is added up is less than it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class JoinLosesRows(Answer):
    """An inner join drops rows without a partner, and what is added up is less than it was.

    Keeps the rows of the left table: ``how="left"``. Offered where some keys have a partner that is spelled
    otherwise: then these are to be mended.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"item": ["a", "a", "b", "c"], "eur": [3, 4, 8, 0]})
        items = pd.DataFrame({"item": ["a", "c"], "colour": ["red", "blue"]})
        %%reflect
        sold = sales.merge(items, on="item")
        total = sold["eur"].sum()
        %%repaired
        sold = sales.merge(items, on="item", how="left")
        total = sold["eur"].sum()
    """

    name = "join-loses-rows"
    kind = "merge"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if isinstance(at.node, ast.Call):
            edit = syntax.add_keyword(at.cell, at.node, "how", '"left"')
            yield Way("keep all rows of the left table", [edit], sure=not at.facts.get("left_alike"))
