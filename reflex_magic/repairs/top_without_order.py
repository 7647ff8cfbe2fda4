"""`top-without-order`: the first rows are taken for the top ones, and no column is in order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class TopWithoutOrder(Answer):
    """The first rows are taken for the top ones, and no column is in order.

    Offered, for each numeric column: the largest by it.

    Example
    -------
    ::

        import pandas as pd
        shops = pd.DataFrame({"shop": ["n", "w", "a", "s"], "eur": [4.0, 9.0, 2.0, 7.0]})
        %%reflect
        top = shops.head(2)
        %%offered
        top = shops.nlargest(2, "eur")
    """

    name = "top-without-order"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case (
                ast.Call(
                    func=ast.Attribute(value=holder, attr="head") as member, args=[ast.Constant(value=int(n))]
                ) as call
            ):
                card = at.context.values.card(ast.unparse(holder))
                labels = [c.name for c in card.columns if c.dtype.startswith(("int", "float"))] if card else []
                for label in labels[:4] if card and card.is_frame else ():
                    start, end = syntax.member_start(at.cell, member), at.cell.span(call)
                    edit = Edit(Span(*start, end.end_line, end.end_column), f"nlargest({n}, {syntax.literal(label)})")
                    yield Way(f"the {n} largest by `{label}`", [edit], sure=False)
