"""Writing into the array behind a frame."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class ReadOnlyValues(Repair):
    """The array from `.values` is written to, which no longer changes the table and is refused.

    A copy is written to, and put back into the table where the cell goes on to use it. Where it goes on to
    use both, the copy may be meant to differ from the table, and it is offered only. Silent
    unless the array was taken in this cell, once, and from a table of numbers of one type.

    Example
    -------
    ::

        import pandas as pd
        flow = pd.DataFrame({"a": [10.0, 250.0], "b": [99.0, 101.0]})
        %%reflect
        v = flow.values
        v[v > 100] = 100
        total = flow.sum()
        %%repaired
        v = flow.to_numpy(copy=True)
        v[v > 100] = 100
        flow[:] = v
        total = flow.sum()
    """

    name = "read-only-values"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """A copy, and the table written."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or "read-only" not in failure.evalue or not isinstance(node, ast.Subscript):
            return
        cell, array = context.cell, node.value
        if not isinstance(array, ast.Name) or not isinstance(node.ctx, ast.Store):
            return
        source = syntax.assigned(cell, array.id)
        written = [
            n
            for n in syntax.nodes(cell)
            if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) and ast.dump(n.value) == ast.dump(array)
        ]
        statement = syntax.statement(cell, node)
        if source is None or len(written) != 1 or statement not in cell.tree.body:
            return
        match source:
            case ast.Attribute(value=table, attr="values"):
                pass
            case ast.Call(func=ast.Attribute(value=table, attr="to_numpy"), args=[], keywords=[]):
                pass
            case _:
                return
        card = context.values.card(ast.unparse(table))
        if card is None or not _writable(table) or len({c.dtype for c in card.columns}) != 1:
            return
        if not card.columns[0].dtype.startswith(("int", "float", "uint", "bool")):
            return
        own = syntax.text(cell, table)
        edits = [syntax.replace(cell, source, f"{syntax.receiver(cell, table)}.to_numpy(copy=True)")]
        if statement is not None and _used_later(cell, table, statement):
            end = cell.span(statement)
            place = Span(end.end_line, end.end_column, end.end_line, end.end_column)
            target = f"{own}[:]" if isinstance(table, ast.Name) else own
            edits.append(Edit(place, f"\n{target} = {array.id}"))
        both = len(edits) > 1 and _used_later(cell, array, statement)
        evidence = f"`{ast.unparse(source)}` is read-only in pandas 3"
        yield self.offer("write to a copy, and put it back", edits, evidence, sure=not both)


def _writable(table: ast.expr) -> bool:
    """A variable, or one column of a variable."""
    match table:
        case ast.Name() | ast.Subscript(value=ast.Name(), slice=ast.Constant()):
            return True
    return False


def _used_later(cell: syntax.Cell, table: ast.expr, statement: ast.stmt | None) -> bool:
    if statement is None:
        return False
    name = table.id if isinstance(table, ast.Name) else syntax.dotted(getattr(table, "value", table))
    after = cell.span(statement)
    return any(
        isinstance(n, ast.Name) and n.id == name and cell.span(n).line > after.end_line for n in syntax.nodes(cell)
    )
