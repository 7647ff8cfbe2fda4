"""The columns of counted values have other names since pandas 2."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class ValueCountsColumns(Repair):
    """``value_counts().reset_index()`` is renamed as before pandas 2.

    It used to make the columns `index` and the counted column's name; now it makes that name and
    `count`. The rule looks for the old pair in a `rename`.

    Example
    -------
    ::

        import pandas as pd
        complaints = pd.DataFrame({"reason": ["late", "late", "rude"]})
        %%reflect
        table = complaints["reason"].value_counts().reset_index()
        table = table.rename(columns={"index": "why", "reason": "n"})
        share = table["n"] / len(complaints)
        %%repaired
        table = complaints["reason"].value_counts().reset_index()
        table = table.rename(columns={"reason": "why", "count": "n"})
        share = table["n"] / len(complaints)
    """

    name = "value-counts-columns"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same names for the new columns."""
        if context.failure is None:
            return
        cell = context.cell
        for node in syntax.nodes(cell):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=made, attr="rename"),
                    keywords=[ast.keyword(arg="columns", value=ast.Dict(keys=[a, b], values=[new_a, new_b]))],
                ):
                    old = {syntax.constant(a): (a, new_a), syntax.constant(b): (b, new_b)}
                case _:
                    continue
            counted = _counted(cell, made)
            if counted is None or set(old) != {"index", counted} or not cell.editable(cell.span(node)):
                continue
            index, count = old["index"][0], old[counted][0]
            if not isinstance(index, ast.Constant) or not isinstance(count, ast.Constant):
                continue
            edits = [
                syntax.replace(cell, index, syntax.quoted(cell, index, counted)),
                syntax.replace(cell, count, syntax.quoted(cell, count, "count")),
            ]
            evidence = f"counting `{counted}` makes the columns `{counted}` and `count` since pandas 2"
            yield self.offer("rename the columns that counting makes now", edits, evidence)


def _counted(cell: syntax.Cell, node: ast.expr) -> str | None:
    """The column whose values are counted in ``x["c"].value_counts().reset_index()``, directly or by a variable."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(
                    func=ast.Attribute(
                        value=ast.Subscript(slice=ast.Constant(value=str(column))) | ast.Attribute(attr=column),
                        attr="value_counts",
                    )
                ),
                attr="reset_index",
            ),
            args=[],
            keywords=[],
        ):
            return column
        case ast.Name(id=name):
            before = cell.span(node)
            given = [
                n.value
                for n in syntax.nodes(cell)
                if isinstance(n, ast.Assign)
                and [syntax.dotted(t) for t in n.targets] == [name]
                and cell.span(n) < before
            ]
            made = [g for g in given if node not in ast.walk(g)]
            return _counted(cell, made[-1]) if made and not isinstance(made[-1], ast.Name) else None
    return None
