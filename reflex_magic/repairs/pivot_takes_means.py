"""`pivot-takes-means`: a pivot table takes means where several rows share a cell."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class PivotTakesMeans(Answer):
    """A pivot table takes means where several rows share a cell.

    Offered: ``aggfunc="sum"``.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["n", "n", "s"], "item": ["a", "a", "b"], "eur": [1.0, 3.0, 5.0]})
        %%reflect
        totals = sales.pivot_table(index="shop", columns="item", values="eur")
        %%offered
        totals = sales.pivot_table(index="shop", columns="item", values="eur", aggfunc="sum")
    """

    name = "pivot-takes-means"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if isinstance(at.node, ast.Call):
            yield Way(
                "add the rows of a cell up", [syntax.add_keyword(at.cell, at.node, "aggfunc", '"sum"')], sure=False
            )
