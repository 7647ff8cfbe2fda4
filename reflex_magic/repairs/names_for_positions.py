"""`iloc` is given names of columns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class NamesForPositions(Repair):
    """``df.iloc[:2, "x"]`` counts rows and columns, and `x` is a name.

    The column's position is looked up. Silent when the name is no column.

    Example
    -------
    ::

        import pandas as pd
        points = pd.DataFrame({"x": [1, 2, 3], "y": [4, 5, 6]})
        %%reflect
        first = points.iloc[:2, "y"].sum()
        %%repaired
        first = points.iloc[:2, points.columns.get_loc("y")].sum()
    """

    name = "names-for-positions"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The position of the column."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ValueError", "TypeError", "IndexError"):
            return
        match node:
            case ast.Subscript(value=ast.Attribute(value=holder, attr="iloc"), slice=ast.Tuple(elts=[_, column])):
                pass
            case _:
                return
        known = columns.labels_of(context, ast.unparse(holder)) or ()
        source = syntax.receiver(context.cell, holder)
        match column:
            case ast.Constant(value=str(name)) if name in known:
                written = f"{source}.columns.get_loc({syntax.text(context.cell, column)})"
            case ast.List(elts=parts) if parts and all(syntax.constant(p) in known for p in parts):
                written = f"{source}.columns.get_indexer({syntax.text(context.cell, column)})"
            case _:
                return
        edits = [syntax.replace(context.cell, column, written)]
        yield self.offer("the position of the column", edits, f"`iloc` counts, and {ast.unparse(column)} is a name")
