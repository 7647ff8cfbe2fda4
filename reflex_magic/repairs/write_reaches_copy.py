"""`write-reaches-copy`: what is written to a row or a part of a table reaches a copy only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, column, label_of


class WriteReachesCopy(Answer):
    """What is written to a row or a part of a table reaches a copy only.

    A write in two steps becomes one with `loc`; a change in place of a column is assigned back; a row of `iterrows`
    that is written to is written to the table by its label, ``df.loc[i, "fee"] = ...``.

    Silent where labels repeat, and where the loop reads again what it has written.

    Example
    -------
    ::

        import pandas as pd
        fees = pd.DataFrame({"group": ["A", "B"], "fee": [100, 100]})
        %%reflect
        for i, row in fees.iterrows():
            if row["group"] == "B":
                row["fee"] = 80
        total = fees["fee"].sum()
        %%repaired
        for i, row in fees.iterrows():
            if row["group"] == "B":
                fees.loc[i, "fee"] = 80
        total = fees["fee"].sum()
    """

    name = "write-reaches-copy"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        title = "write to the table in one step"
        match at.node, syntax.parent(at.cell, at.node):
            case ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="iterrows")), ast.For(
                target=ast.Tuple(elts=[ast.Name(id=label), ast.Name(id=row)])
            ) as loop:
                yield Way("write to the table, row by row", _of_rows(at, loop, table, label, row))
            case ast.Subscript(value=ast.Subscript(value=ast.Name(id=table), slice=rows), slice=columns), _:
                if isinstance(rows, ast.Constant):
                    rows, columns = columns, rows
                yield Way(
                    title, [syntax.replace(at.cell, at.node, f"{table}.loc[{at.text(rows)}, {at.text(columns)}]")]
                )
            case ast.Subscript(
                value=ast.Attribute(value=ast.Subscript(value=ast.Name(id=table), slice=label), attr="loc"), slice=rows
            ), _ if not isinstance(rows, ast.Tuple):
                source = f"{table}.loc[{at.text(rows)}, {at.text(label)}]"
                yield Way(title, [syntax.replace(at.cell, at.node, source)])
            case ast.Call(func=ast.Attribute(value=holder)) as call, ast.Expr() as statement if column(holder):
                dropped = syntax.drop_keyword(at.cell, call, "inplace")
                start = at.cell.span(statement)
                place = Span(start.line, start.column, start.line, start.column)
                if dropped is not None:
                    yield Way("assign the changed column back", [Edit(place, f"{at.text(holder)} = "), dropped])


def _of_rows(at: Found, loop: ast.For, table: str, label: str, row: str) -> list[Edit]:
    """The writes to the row of a loop as writes to the table; none where the row is read again after a write."""
    labels, card = at.values(f"{table}.index"), at.context.values.card(table)
    fields = [n for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Subscript) and label_of(n)]
    fields = [n for n in fields if isinstance(n.value, ast.Name) and n.value.id == row]
    writes = [n for n in fields if isinstance(n.ctx, ast.Store)]
    again = any(
        label_of(read) == label_of(write) and read.lineno > write.lineno
        for write in writes
        for read in fields
        if isinstance(read.ctx, ast.Load)
    )
    if again or card is None or len(labels) != card.rows:
        return []
    return [syntax.replace(at.cell, n, f"{table}.loc[{label}, {at.text(n.slice)}]") for n in writes]
