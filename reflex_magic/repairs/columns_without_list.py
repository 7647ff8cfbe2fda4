"""Several columns are asked for without a list."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class ColumnsWithoutList(Repair):
    """``df["x", "y"]`` asks for one column with a pair for a name; two columns are asked for in a list.

    Silent when one of the names is no column.

    Example
    -------
    ::

        import pandas as pd
        points = pd.DataFrame({"k": ["a", "b"], "x": [1, 2], "y": [4, 5]})
        %%reflect
        total = points.groupby("k")["x", "y"].sum()
        %%repaired
        total = points.groupby("k")[["x", "y"]].sum()
    """

    name = "columns-without-list"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The names in a list."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("KeyError", "ValueError") or not isinstance(node, ast.Subscript):
            return
        if not isinstance(node.slice, ast.Tuple) or (
            isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        ):
            return
        known = columns.labels_of(context, ast.unparse(node.value)) or ()
        card = context.values.card(ast.unparse(node.value))
        names = [syntax.constant(e) for e in node.slice.elts]
        if card is None or card.is_series or len(names) < 2 or any(n not in known for n in names):
            return
        span = context.cell.span(node.slice)
        if context.cell.text(span).startswith("("):
            edits = [Edit(span, f"[{context.cell.text(span)[1:-1]}]")]
        else:
            edits = [Edit(span, f"[{context.cell.text(span)}]")]
        yield self.offer("the columns in a list", edits, f"all {len(names)} names are columns")
