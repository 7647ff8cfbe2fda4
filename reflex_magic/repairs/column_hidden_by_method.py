"""A column under the name of a method is asked for with a dot."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class ColumnHiddenByMethod(Repair):
    """``votes.count`` is the method, whatever the columns are; the column is ``votes["count"]``.

    Applies where the expression fails on the method, and the frame has a column of that name. Silent where the method
    is called.

    Example
    -------
    ::

        import pandas as pd
        votes = pd.DataFrame({"party": ["p", "q"], "count": [10, 30]})
        %%reflect
        share = votes.count / 40
        %%repaired
        share = votes["count"] / 40
    """

    name = "column-hidden-by-method"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column in brackets."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError", "AttributeError"):
            return
        hidden = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and self._is_hidden(context, n)]
        if hidden:
            edits = []
            for member in hidden:
                source = syntax.receiver(context.cell, member.value)
                edits.append(syntax.replace(context.cell, member, f"{source}[{syntax.literal(member.attr)}]"))
            names = ", ".join(dict.fromkeys(f"`{m.attr}`" for m in hidden))
            yield self.offer(f"the column {names}", edits, f"with a dot, {names} is a member of the frame")

    def _is_hidden(self, context: Context, node: ast.Attribute) -> bool:
        above = syntax.parent(context.cell, node)
        if not isinstance(node.ctx, ast.Load) or (isinstance(above, ast.Call) and above.func is node):
            return False
        frame = ast.unparse(node.value)
        if not columns.is_frame(context, frame) or node.attr not in (columns.labels_of(context, frame) or ()):
            return False
        card = context.values.card(f"{frame}.{node.attr}")
        return card is None or not card.is_series
