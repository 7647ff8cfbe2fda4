"""A column is asked for that is the index."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair

_OF_COLUMNS = frozenset({"set_index", "melt", "pivot", "drop_duplicates", "duplicated", "explode", "plot", "dropna"})

_OF_BOTH = frozenset({"tolist", "to_list", "unique", "nunique", "isin", "min", "max", "to_numpy", "values"})
"""Members that a column and an index have alike."""


class NameOfIndex(Repair):
    """A column is asked for whose name the index has, as after `groupby` or `set_index`.

    The values are taken from the index; a list of columns, and methods that need a column, get the frame with the index
    as a column.

    Silent when the frame has no index level of that name.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["u", "v", "u"], "takings": [1.0, 2.0, 3.0]})
        %%reflect
        shops = sales.groupby("shop").sum()
        names = shops["shop"].tolist()
        %%repaired
        shops = sales.groupby("shop").sum()
        names = shops.index.tolist()
    """

    name = "name-of-index"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The values of the index, or the frame with it as a column."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("KeyError", "AttributeError"):
            return
        match node:
            case ast.Attribute(value=holder, attr=label) if isinstance(node.ctx, ast.Load):
                wanted: list[object] = [label]
            case ast.Subscript(value=holder, slice=ast.Constant(value=str(label))) if isinstance(node.ctx, ast.Load):
                wanted = [label]
            case ast.Subscript(value=holder, slice=ast.List(elts=parts)) if isinstance(node.ctx, ast.Load):
                wanted = [syntax.constant(p) for p in parts]
            case ast.Call(func=ast.Attribute(value=holder, attr=method)) if method in _OF_COLUMNS:
                wanted = [c.value for n in columns.namings(context, node) for c in n.labels]
                wanted += [syntax.constant(k.value) for k in node.keywords if method == "plot" and k.arg in ("x", "y")]
            case _:
                return
        card = context.values.card(ast.unparse(holder))
        if card is None or not card.is_frame:
            return
        known = columns.labels_of(context, ast.unparse(holder)) or ()
        lacking = [w for w in wanted if w not in known]
        if not lacking or not all(w in card.index for w in lacking):
            return
        if isinstance(node, ast.Call) or len(wanted) > 1:
            edits = [syntax.insert_after(context.cell, holder, ".reset_index()")]
        else:
            # the same is asked for elsewhere in the statement, and would fail next
            same = [n for n in _of_statement(context.cell, node) if ast.dump(n) == ast.dump(node)]
            edits = [
                syntax.replace(context.cell, n, _values(context, n, holder, str(lacking[0]), card.index)) for n in same
            ]
        title = f"`{lacking[0]}` is the index"
        yield self.offer(title, edits, f"the frame has {len(known)} columns, and an index called `{lacking[0]}`")


def _of_statement(cell: syntax.Cell, node: ast.expr) -> Iterator[ast.expr]:
    statement = syntax.statement(cell, node)
    yield from (n for n in ast.walk(statement or node) if isinstance(n, ast.expr))


def _values(context: Context, node: ast.expr, holder: ast.expr, label: str, levels: tuple[str, ...]) -> str:
    source = syntax.receiver(context.cell, holder)
    if len(levels) > 1:
        return f"{source}.index.get_level_values({syntax.literal(label)})"
    above = syntax.parent(context.cell, node)
    alike = isinstance(above, ast.Compare) or (isinstance(above, ast.Attribute) and above.attr in _OF_BOTH)
    return f"{source}.index" if alike else f"{source}.index.to_series()"
