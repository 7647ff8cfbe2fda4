"""A result by group is put beside the rows of the table."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_REDUCE = ("sum", "mean", "median", "min", "max", "count", "size", "std", "var", "first", "last", "nunique", "prod")
_ROW_BY_ROW = ("cumsum", "cumprod", "cummax", "cummin", "diff", "shift", "rank", "pct_change", "ffill", "bfill")


class GroupResultBesideRows(Repair):
    """A column is assigned a result that has one row a group, or rows in the order of the groups.

    ``df.groupby(k)[c].sum()`` becomes ``df.groupby(k)[c].transform("sum")``, which has one value a row;
    ``df.groupby(k).apply(lambda g: g[c].cumsum())`` becomes ``df.groupby(k)[c].cumsum()``.

    Silent when another table is grouped than the one that is assigned to.

    Example
    -------
    ::

        import pandas as pd
        lines = pd.DataFrame({"order": [101, 101, 102], "price": [30.0, 10.0, 5.0]})
        %%reflect
        lines["order_total"] = lines.groupby("order")["price"].sum()
        %%repaired
        lines["order_total"] = lines.groupby("order")["price"].transform("sum")
    """

    name = "group-result-beside-rows"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """One value a row."""
        for finding, node in syntax.found(context, "rows-do-not-line-up"):
            assignment = syntax.statement(context.cell, node)
            match assignment:
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=table))], value=value):
                    edits = _edits(context, value, table)
                case _:
                    continue
            if edits:
                title = "one value a row instead of one a group"
                yield self.offer(title, edits, finding.message, answers=(finding.code,))


def _edits(context: Context, value: ast.expr, table: str) -> list[Edit]:
    cell = context.cell
    match value:
        case ast.Call(func=ast.Attribute(value=groups, attr=method) as member, args=[], keywords=[]) if (
            method in _REDUCE
        ):
            by_column = isinstance(groups, ast.Subscript) and _groups_of(groups.value, table)
            if by_column or (method == "size" and _groups_of(groups, table)):
                call = syntax.replace(cell, value, "")
                start, end = syntax.member_start(cell, member), (call.span.end_line, call.span.end_column)
                return [Edit(Span(*start, *end), f'transform("{method}")')]
        case ast.Call(
            func=ast.Attribute(value=groups, attr="apply") as member,
            args=[
                ast.Lambda(
                    args=ast.arguments(args=[ast.arg(arg=name)]),
                    body=ast.Call(
                        func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=used)) as column, attr=method) as inner
                    ) as body,
                )
            ],
            keywords=[],
        ) if method in _ROW_BY_ROW and used == name and _groups_of(groups, table):
            label = syntax.text(cell, column.slice)
            call = syntax.replace(cell, value, "")
            tail = cell.text(Span(*syntax.member_start(cell, inner), *_end(cell, body)))
            place = Span(*_end(cell, member.value), call.span.end_line, call.span.end_column)
            return [Edit(place, f"[{label}].{tail}")]
    return []


def _end(cell: syntax.Cell, node: ast.expr) -> tuple[int, int]:
    span = cell.span(node)
    return span.end_line, span.end_column


def _groups_of(node: ast.expr, table: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="groupby")):
            return name == table
    return False
