"""`mean-of-ratios`: the mean of a ratio of two columns gives small rows as much weight as large ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, column


class MeanOfRatios(Answer):
    """The mean of a ratio of two columns gives small rows as much weight as large ones.

    Becomes the ratio of the two sums.

    Example
    -------
    ::

        import pandas as pd
        days = pd.DataFrame({"sold": [1, 90], "seats": [10, 100]})
        %%reflect
        # overall share of seats that were sold
        days["rate"] = days["sold"] / days["seats"]
        rate = days["rate"].mean()
        %%repaired
        # overall share of seats that were sold
        days["rate"] = days["sold"] / days["seats"]
        rate = days["sold"].sum() / days["seats"].sum()
    """

    name = "mean-of-ratios"
    kind = "average"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        ratio = at.facts.get("ratio", {})
        match at.node, ratio.get("of"):
            case ast.Call(func=ast.Attribute(value=holder, attr="mean")) as call, (over, under) if place := column(
                holder
            ):
                sums = [f"{place[0]}[{syntax.literal(c)}].sum()" for c in (over, under)]
                loose = isinstance(syntax.parent(at.cell, call), (ast.Assign, ast.AnnAssign, ast.Expr, ast.keyword))
                source = " / ".join(sums) if loose else f"({' / '.join(sums)})"
                yield Way("the ratio of the sums", [syntax.replace(at.cell, call, source)])
