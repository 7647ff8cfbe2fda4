"""A write that reaches a copy only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_METHODS = ("fillna", "replace", "clip", "ffill", "bfill", "where", "mask", "interpolate")


class ChainedAssignment(Repair):
    """``df["c"].fillna(0, inplace=True)`` and ``df[mask]["c"] = x`` do not change `df`.

    The first becomes an assignment to the column, the second one step with `loc`. Looked for when the cell
    fails, or when pandas has warned of it.

    Silent where nothing failed and nothing warned.

    Example
    -------
    ::

        import pandas as pd
        picks = pd.DataFrame({"qty": [5, None, 2]})
        %%reflect
        picks["qty"].fillna(1, inplace=True)
        assert picks["qty"].notna().all()
        %%repaired
        picks["qty"] = picks["qty"].fillna(1)
        assert picks["qty"].notna().all()
    """

    name = "chained-assignment"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The write in one step."""
        warned = any("ChainedAssignment" in w or "SettingWithCopy" in w for c in context.run.cards for w in c.warnings)
        if not warned and not (context.failure and context.failure.is_a("AssertionError")):
            return
        cell = context.cell
        edits: list[Edit] = []
        for node in syntax.nodes(cell):
            if isinstance(node, ast.stmt) and cell.editable(cell.span(node)):
                edits += _in_place(cell, node) or _two_steps(context, node)
        if edits:
            yield self.offer(
                "write to the table in one step", edits, "a write to a selection changes a copy, and not the table"
            )


def _in_place(cell: syntax.Cell, node: ast.stmt) -> list[Edit]:
    match node:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(
                    value=ast.Subscript(value=ast.Name(), slice=ast.Constant(value=str())) as column, attr=method
                )
            ) as call
        ) if method in _METHODS:
            given = syntax.keyword(call, "inplace")
            dropped = syntax.drop_keyword(cell, call, "inplace")
            if given is None or dropped is None or syntax.constant(given.value) is not True:
                return []
            start = cell.span(node)
            place = Span(start.line, start.column, start.line, start.column)
            return [Edit(place, f"{syntax.text(cell, column)} = "), dropped]
    return []


def _is_mask(context: Context, node: ast.expr) -> bool:
    """Whether a selection is a condition on rows, and not a column's name."""
    if isinstance(node, (ast.Compare, ast.BinOp)):
        return True
    card = context.values.card(ast.unparse(node))
    return card is not None and card.is_series and card.columns[0].dtype in ("bool", "boolean")


def _two_steps(context: Context, node: ast.stmt) -> list[Edit]:
    cell = context.cell
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    edits = []
    for target in targets:
        match target:
            case ast.Subscript(
                value=ast.Subscript(
                    value=ast.Name(id=table), slice=ast.Compare() | ast.BinOp() | ast.Call() | ast.Name() as mask
                ),
                slice=ast.Constant(value=str()) as label,
            ) if _is_mask(context, mask):
                rows, column = syntax.text(cell, mask), syntax.text(cell, label)
                edits.append(syntax.replace(cell, target, f"{table}.loc[{rows}, {column}]"))
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name(id=table), slice=ast.Constant(value=str()) as label),
                slice=ast.Compare() | ast.BinOp() as mask,
            ):
                rows, column = syntax.text(cell, mask), syntax.text(cell, label)
                edits.append(syntax.replace(cell, target, f"{table}.loc[{rows}, {column}]"))
    return edits
