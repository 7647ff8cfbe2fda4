"""`parts-do-not-fit`: two parts of a table share the row at their border, or leave it out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class PartsDoNotFit(Answer):
    """Two parts of a table share the row at their border, or leave it out.

    A part that begins one row too late begins where the other ends. A row that is in both parts by label is offered
    to be in the second only.

    Example
    -------
    ::

        import pandas as pd
        days = pd.DataFrame({"n": range(10)})
        %%reflect
        train, test = days.iloc[:6], days.iloc[7:]
        %%repaired
        train, test = days.iloc[:6], days.iloc[6:]
    """

    name = "parts-do-not-fit"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Subscript(
                value=ast.Attribute(attr="iloc"), slice=ast.Slice(lower=ast.Constant(value=int(low)) as written)
            ):
                yield Way("begin where the other part ends", [syntax.replace(at.cell, written, str(low - 1))])
            case ast.Subscript(
                value=ast.Attribute(value=table, attr="loc"), slice=ast.Slice(lower=ast.Constant(value=int()))
            ):
                labels, name = at.values(f"{ast.unparse(table)}.index"), ast.unparse(table)
                if labels == tuple(range(len(labels))):
                    edits = [
                        syntax.rename_member(at.cell, n.value, "iloc")
                        for n in syntax.nodes(at.cell)
                        if isinstance(n, ast.Subscript)
                        and isinstance(n.value, ast.Attribute)
                        and n.value.attr == "loc"
                        and ast.unparse(n.value.value) == name
                        and isinstance(n.slice, ast.Slice)
                    ]
                    yield Way("parts by place: the row at the border is in the second", edits, sure=False)
