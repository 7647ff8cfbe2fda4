"""`usecols-order-ignored`: `usecols` gives the columns in the order of the file, and the cell takes them by place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class UsecolsOrderIgnored(Answer):
    r"""`usecols` gives the columns in the order of the file, and the cell takes them by place.

    They are put in the order that was asked for.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("price,units\n2.5,4\n3.0,2\n")
        %%reflect
        sales = pd.read_csv(file, usecols=["units", "price"])
        sales.columns = ["n", "eur"]
        %%repaired
        sales = pd.read_csv(file, usecols=["units", "price"])[["units", "price"]]
        sales.columns = ["n", "eur"]
    """

    name = "usecols-order-ignored"
    kind = "read"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        order = at.facts.get("order", ())
        if order and isinstance(at.node, ast.Call):
            listed = ", ".join(map(syntax.literal, order))
            yield Way("in the order of usecols", [syntax.insert_after(at.cell, at.node, f"[[{listed}]]")])
