"""Columns filled by a loop over the rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.hardening import columnwise
from reflex_magic.repairs.rule import Repair


class LoopOverRows(Repair):
    """A loop fills a column row by row where the whole column can be computed at once.

    Offered for a loop over ``frame.iterrows()`` whose only statement sets a cell of that frame by
    `at` or `loc`, with the expressions that `row-by-row` knows; silent for anything else.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2, 3], "price": [9.5, 4.0, 2.5], "total": 0.0})
        %%reflect
        for i, row in sales.iterrows():
            sales.at[i, "total"] = row["units"] * row["price"]
        %%offered
        sales["total"] = sales["units"] * sales["price"]
    """

    name = "loop-over-rows"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The assignment of the whole column."""
        cell = context.cell
        for node in syntax.nodes(cell):
            match node:
                case ast.For(
                    target=ast.Tuple(elts=[ast.Name(id=index), ast.Name(id=row)]),
                    iter=ast.Call(func=ast.Attribute(value=ast.Name(id=frame), attr="iterrows"), args=[], keywords=[]),
                    body=[
                        ast.Assign(
                            targets=[
                                ast.Subscript(
                                    value=ast.Attribute(value=ast.Name(id=written), attr="at" | "loc"),
                                    slice=ast.Tuple(elts=[ast.Name(id=place), ast.Constant(value=str()) as column]),
                                )
                            ],
                            value=value,
                        )
                    ],
                    orelse=[],
                ) if (written, place) == (frame, index):
                    edits = columnwise.of_row(context, value, row, frame)
                    card = context.values.card(frame)
                    if edits is not None and card is not None:
                        target = f"{frame}[{syntax.text(cell, column)}] = "
                        yield self.offer(
                            f"compute `{syntax.text(cell, value)}` for all rows of `{frame}` at once",
                            [*columnwise.in_place_of(cell, node, value, target), *edits],
                            f"the loop runs {card.rows:,} times",
                        )
