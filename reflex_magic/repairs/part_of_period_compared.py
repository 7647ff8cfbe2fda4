"""`part-of-period-compared`: a period that has only begun is compared with whole ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class PartOfPeriodCompared(Answer):
    """A period that has only begun is compared with whole ones.

    Offered: the last period is left out.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.Series(10, index=pd.date_range("2024-01-01", "2024-06-09"))
        %%reflect
        worst = sales.resample("ME").sum().idxmin()
        %%offered
        worst = sales.resample("ME").sum().iloc[:-1].idxmin()
    """

    name = "part-of-period-compared"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        node = syntax.parent(at.cell, at.node)
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = syntax.parent(at.cell, node)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("sum", "count", "size")
        ):
            yield Way("leave the last period out", [syntax.insert_after(at.cell, node, ".iloc[:-1]")], sure=False)
