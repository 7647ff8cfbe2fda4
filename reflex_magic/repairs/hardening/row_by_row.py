"""Columns computed by a function of each row."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.hardening import columnwise
from reflex_magic.repairs.rule import Repair


class RowByRow(Repair):
    """A function is called for each row where whole columns can be computed at once.

    Offered for ``frame.apply(lambda row: ..., axis=1)`` with arithmetic, comparisons and NumPy's
    elementwise functions over columns, constants and numbers; silent for anything else in the function.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2, 3], "price": [9.5, 4.0, 2.5]})
        %%reflect
        sales["total"] = sales.apply(lambda row: row["units"] * row["price"], axis=1)
        %%offered
        sales["total"] = sales["units"] * sales["price"]
    """

    name = "row-by-row"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The expression of the function over whole columns."""
        for node in syntax.nodes(context.cell):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=frame, attr="apply"),
                    args=[ast.Lambda(args=ast.arguments(args=[ast.arg(arg=row)], defaults=[]), body=body)],
                    keywords=[ast.keyword(arg="axis", value=ast.Constant(value=1 | "columns"))],
                ):
                    own = syntax.text(context.cell, frame)
                    edits = columnwise.of_row(context, body, row, own)
                    if edits is not None:
                        yield self.offer(
                            f"compute `{syntax.text(context.cell, body)}` for all rows of `{own}` at once",
                            [*columnwise.in_place_of(context.cell, node, body), *edits],
                            _rows(context, own),
                        )


def _rows(context: Context, frame: str) -> str:
    card = context.values.card(frame)
    return f"the function is called {card.rows:,} times" if card is not None and card.rows is not None else ""
