"""`rows-do-not-line-up`: two series are put together whose rows have other labels."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class RowsDoNotLineUp(Answer):
    """Two series are put together whose rows have other labels.

    A series that is labelled by a column of the table is looked up by that column; a table and a series with one
    value a row are computed down the rows (``axis=0``). For as many rows in the same places, that is offered:
    ``.to_numpy()``.

    Example
    -------
    ::

        import pandas as pd
        shares = pd.DataFrame({"n": [1, 3], "s": [4, 2]}, index=["jan", "feb"])
        %%reflect
        part = shares / shares.sum(axis=1)
        %%repaired
        part = shares.div(shares.sum(axis=1), axis=0)
    """

    name = "rows-do-not-line-up"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        ops = [o for o in at.context.run.operations if o.span == at.finding.span]
        facts = next((o.facts for o in ops if o.kind in ("assign", "arithmetic")), {})
        match at.node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=table))], value=value):
                index = facts.get("index")
                if index and facts.get("named_column"):
                    source = f"{table}[{syntax.literal(index)}].map({at.text(value)})"
                    yield Way(f"look up by `{index}`", [syntax.replace(at.cell, value, source)])
                elif facts.get("rows") == facts.get("value_rows"):
                    edit = syntax.insert_after(at.cell, value, ".to_numpy()")
                    if not isinstance(value, (ast.Name, ast.Call, ast.Subscript, ast.Attribute)):
                        edit = syntax.replace(at.cell, value, f"({at.text(value)}).to_numpy()")
                    yield Way("by place, whatever the labels are", [edit], sure=False)
            case ast.BinOp(left=left, op=op, right=right):
                method = next((name for kind, name in _METHODS if isinstance(op, kind)), "")
                if facts.get("columns") and method:
                    source = f"{syntax.receiver(at.cell, left)}.{method}({at.text(right)}, axis=0)"
                    yield Way("down the rows", [syntax.replace(at.cell, at.node, source)])
                elif facts.get("left") == facts.get("right"):
                    source = f"{syntax.receiver(at.cell, right)}.to_numpy()"
                    yield Way("by place, whatever the labels are", [syntax.replace(at.cell, right, source)], sure=False)


_METHODS = ((ast.Add, "add"), (ast.Sub, "sub"), (ast.Mult, "mul"), (ast.Div, "div"))
