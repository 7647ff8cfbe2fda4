"""`last-row-is-not-latest`: the last row is taken for the latest, and another row is later."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class LastRowIsNotLatest(Answer):
    """The last row is taken for the latest, and another row is later.

    The table is sorted by its date column where the row is taken. Offered where the table has several date columns.

    Example
    -------
    ::

        import pandas as pd
        prices = pd.DataFrame({"day": pd.to_datetime(["2024-05-02", "2024-05-01"]), "eur": [9, 7]})
        %%reflect
        latest = prices["eur"].iloc[-1]
        %%repaired
        latest = prices.sort_values("day")["eur"].iloc[-1]
    """

    name = "last-row-is-not-latest"
    kind = "ends"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        dates = at.facts.get("dates", {})
        frame = _frame(at.node)
        for label in dates:
            source = f"{syntax.receiver(at.cell, frame)}.sort_values({syntax.literal(label)})"
            title = f"in the order of `{label}`"
            yield Way(title, [syntax.replace(at.cell, frame, source)], sure=len(dates) == 1)


def _frame(node: ast.AST) -> ast.expr:
    """The table that rows are taken of: `df` of ``df["eur"].iloc[-1]`` and ``df.groupby("id").last()``."""
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=below)) | ast.Attribute(value=below, attr="iloc" | "iat"):
                node = below
            case ast.Subscript(value=ast.Attribute(attr="iloc" | "iat") as below):
                node = below
            case ast.Subscript(value=below, slice=ast.Constant(value=str()) | ast.List()):
                node = below
            case _:
                assert isinstance(node, ast.expr)
                return node
