"""`mean-of-means`: the mean of the means of groups gives each group the same weight."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class MeanOfMeans(Answer):
    """The mean of the means of groups gives each group the same weight.

    Becomes the mean of all rows.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["a", "a", "a", "b"], "eur": [1.0, 1.0, 1.0, 5.0]})
        %%reflect
        # overall mean
        mean = sales.groupby("shop")["eur"].mean().mean()
        %%repaired
        # overall mean
        mean = sales["eur"].mean()
    """

    name = "mean-of-means"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(
                func=ast.Attribute(value=ast.Subscript(value=ast.Call(func=ast.Attribute(value=table)), slice=label))
            ):
                pass
            case _:
                return
        member = syntax.parent(at.cell, at.node)
        outer = syntax.parent(at.cell, member) if isinstance(member, ast.Attribute) and member.attr == "mean" else None
        if isinstance(outer, ast.Call) and isinstance(table, ast.Name) and syntax.constant(label):
            source = f"{table.id}[{at.text(label)}].mean()"
            yield Way("the mean of all rows", [syntax.replace(at.cell, outer, source)])
