"""Data is called like a function."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair

_DATA = ("DataFrame", "Series", "dict", "list", "DataFrameGroupBy", "ndarray")


class ValueCalled(Repair):
    """Round brackets stand where data is: ``sales("units")``, ``sales.loc(mask)``, ``sales.shape()``.

    Empty ones after a member that is no method are taken out; others become square.

    Silent where a label in them is none of the data's.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2, 3]})
        %%reflect
        total = sales("units").sum()
        %%repaired
        total = sales["units"].sum()
    """

    name = "value-called"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The data without the call."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not isinstance(node, ast.Call) or not failure.is_a("TypeError", "ValueError"):
            return
        cell, indexer = context.cell, isinstance(node.func, ast.Attribute) and node.func.attr in ("loc", "iloc", "at")
        # `list = [1, 2]` hides the function that is called
        if isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id):
            return
        uncallable = re.search(r"'[\w.]+' object is not callable", failure.evalue)
        if not uncallable and not (indexer and len(node.args) == 1):
            return
        card = context.values.card(ast.unparse(node.func))
        if not node.args and not node.keywords and isinstance(node.func, ast.Attribute) and card is not None:
            edits = [syntax.replace(cell, node, syntax.text(cell, node.func))]
            yield self.offer(f"`{node.func.attr}` is no method", edits, f"it is a {card.type}")
        elif len(node.args) == 1 and not node.keywords and (indexer or (card is not None and card.type in _DATA)):
            square = ast.Subscript(node.func, node.args[0], ast.Load())
            for naming in columns.namings(context, square):
                known = columns.labels_of(context, naming.frame)
                if known is not None and any(c.value not in known for c in naming.labels):
                    return
            start, end = cell.span(node.func), cell.span(node)
            inner = cell.text(Edit(_between(start, end), "").span)
            edits = [Edit(_between(start, end), f"[{inner.strip()[1:-1]}]")]
            kind = card.type if card is not None else "indexer"
            yield self.offer("square brackets", edits, f"`{syntax.text(cell, node.func)}` is a {kind}")


def _between(function: syntax.Span, call: syntax.Span) -> syntax.Span:
    return syntax.Span(function.end_line, function.end_column, call.end_line, call.end_column)
