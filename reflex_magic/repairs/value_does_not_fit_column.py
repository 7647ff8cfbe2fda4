"""A value is written into a column of another type."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class ValueDoesNotFitColumn(Repair):
    """`loc` writes numbers into a text column, or decimals into whole numbers, which pandas 3 refuses.

    A column that the cell has just filled with ``""`` is filled with missing numbers instead. A column of whole
    numbers is made decimal in a line before the write; offered only where the goal wants whole numbers.

    Silent where text is written into numbers: then the column's meaning changes.

    Example
    -------
    ::

        import pandas as pd
        students = pd.DataFrame({"points": [41.0, 33.0]})
        %%reflect
        students["score"] = ""
        students.loc[students["points"] > 40, "score"] = students["points"] / 50
        %%repaired
        students["score"] = float("nan")
        students.loc[students["points"] > 40, "score"] = students["points"] / 50
    """

    name = "value-does-not-fit-column"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """A column that can hold the values."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError") or "Invalid value" not in failure.evalue:
            return
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=table), attr="loc" | "at"),
                slice=ast.Tuple(elts=[_, ast.Constant(value=str(label)) as written]),
                ctx=ast.Store(),
            ):
                pass
            case _:
                return
        cell = context.cell
        card = context.values.card(f"{table}[{label!r}]")
        statement = syntax.statement(cell, node)
        if card is None or statement is None or not isinstance(statement, (ast.Assign, ast.AugAssign)):
            return
        kind = self._kind(context, statement.value)
        dtype = re.search(r"dtype '(\w+)'", failure.evalue)
        if kind == "number" and dtype and dtype[1] in ("str", "string", "object"):
            filled = _filled_with_nothing(cell, table, label)
            if filled is not None and context.values.sample(f"{table}[{label!r}]", 2) == ("",):
                edits = [syntax.replace(cell, filled, 'float("nan")')]
                yield self.offer(
                    f"`{label}` holds numbers",
                    edits,
                    f"`{label}` was filled with empty text, and numbers are written into it",
                )
        elif kind == "number" and dtype and dtype[1].startswith(("int", "uint")) and statement in cell.tree.body:
            line = cell.span(statement).line
            column = f"{table}[{syntax.text(cell, written)}]"
            edit = Edit(Span(line, 1, line, 1), f"{column} = {column}.astype(float)\n")
            evidence = f"`{label}` is {dtype[1]}, and decimals are written into it"
            whole = re.search(r"\b(whole|integers?|round\w*|pieces)\b", context.goal, re.I) is not None
            yield self.offer(f"`{label}` as decimal numbers", [edit], evidence, sure=not whole)

    def _kind(self, context: Context, value: ast.expr) -> str:
        card = context.values.card(ast.unparse(value))
        if card is None:
            return ""
        kind = card.columns[0].dtype if card.columns else card.type
        return "number" if kind.lower().startswith(("int", "float", "uint")) else ""


def _filled_with_nothing(cell: syntax.Cell, table: str, label: str) -> ast.expr | None:
    """The ``""`` that the cell, once, assigns to the whole column."""
    found = []
    for node in syntax.nodes(cell):
        match node:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=column))],
                value=ast.Constant(value="") as nothing,
            ) if name == table and column == label:
                found.append(nothing)
    return found[0] if len(found) == 1 else None
