"""A result by group has the name of the column it is grouped by."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_COUNTS = ("count", "size", "value_counts", "nunique")


class IndexNameTaken(Repair):
    """`reset_index` would make two columns of one name.

    The values are given a name of their own: that of the count. Clear when the cell names the columns right
    after; otherwise offered.

    Silent on frames, where one of several columns would have to be renamed.

    Example
    -------
    ::

        import pandas as pd
        plots = pd.DataFrame({"species": ["oak", "elm", "oak"]})
        %%reflect
        counts = plots.groupby("species")["species"].count().reset_index()
        counts.columns = ["species", "n"]
        %%repaired
        counts = plots.groupby("species")["species"].count().reset_index(name="count")
        counts.columns = ["species", "n"]
    """

    name = "index-name-taken"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """A name for the values."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or "already exists" not in failure.evalue or not isinstance(node, ast.Call):
            return
        match node:
            case ast.Call(func=ast.Attribute(value=values, attr="reset_index"), args=[], keywords=[]):
                pass
            case _:
                return
        card = context.values.card(ast.unparse(values))
        made_by = values.func.attr if isinstance(values, ast.Call) and isinstance(values.func, ast.Attribute) else ""
        if card is None or not card.is_series or (made_by in ("apply", "agg") or not made_by):
            return
        name = "count" if made_by in _COUNTS else made_by
        named = _columns_set_next(context.cell, node)
        edits = [syntax.add_keyword(context.cell, node, "name", syntax.literal(name))]
        yield self.offer(
            f"call the values {name!r}", edits, f"index and values are both called {card.columns[0].name!r}", sure=named
        )


def _columns_set_next(cell: syntax.Cell, node: ast.Call) -> bool:
    """Whether the next statement names the columns of the result."""
    statement = syntax.statement(cell, node)
    body = cell.tree.body
    if statement not in body or not isinstance(statement, ast.Assign):
        return False
    following = body[body.index(statement) + 1 : body.index(statement) + 2]
    target = syntax.dotted(statement.targets[0])
    return any(isinstance(n, ast.Assign) and syntax.dotted(n.targets[0]) == f"{target}.columns" for n in following)
