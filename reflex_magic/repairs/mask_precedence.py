"""`mask-precedence`: ``a & b == 1`` compares ``a & b``, because `&` binds more tightly."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class MaskPrecedence(Answer):
    """``a & b == 1`` compares ``a & b``, because `&` binds more tightly.

    The comparison is put in brackets; a number that stands alone beside a condition is compared with 0.

    Example
    -------
    ::

        import pandas as pd
        users = pd.DataFrame({"active": [True, True, False], "logins": [0, 3, 0]})
        %%reflect
        idle = users[users["active"] & users["logins"] == 0]
        %%repaired
        idle = users[users["active"] & (users["logins"] == 0)]
    """

    name = "mask-precedence"
    kind = "mask"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node, syntax.parent(at.cell, at.node):
            case ast.BinOp(right=right) as node, ast.Compare(left=left, ops=[_]) as compare if left is node:
                start, end = at.cell.span(right), at.cell.span(compare)
                edits = [
                    Edit(Span(start.line, start.column, start.line, start.column), "("),
                    Edit(Span(end.end_line, end.end_column, end.end_line, end.end_column), ")"),
                ]
                yield Way("the comparison in brackets", edits)
            case ast.BinOp(left=left, right=right), _:
                held = (at.facts.get("left"), at.facts.get("right"))
                sides = [n for n, kind in zip((left, right), held, strict=True) if kind == "number"]
                if len(sides) == 1:
                    edit = syntax.replace(at.cell, sides[0], f"({at.text(sides[0])} != 0)")
                    yield Way("compare the number with 0", [edit], sure=False)
