"""`result-not-kept`: a method that returns a changed copy stands on a line of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, column


class ResultNotKept(Answer):
    """A method that returns a changed copy stands on a line of its own.

    The result is given back to the variable, or to the column, that it was made of.

    Silent in functions, and where the call is made of anything but a variable or a column of one.

    Example
    -------
    ::

        import pandas as pd
        scans = pd.DataFrame({"code": ["a", "a", "b"]})
        %%reflect
        scans.drop_duplicates()
        n = len(scans)
        %%repaired
        scans = scans.drop_duplicates()
        n = len(scans)
    """

    name = "result-not-kept"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        statement = syntax.parent(at.cell, at.node)
        functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
        if not isinstance(statement, ast.Expr) or any(
            isinstance(a, functions) for a in syntax.ancestors(at.cell, statement)
        ):
            return
        target: ast.expr = at.node if isinstance(at.node, ast.expr) else statement.value
        while isinstance(target, (ast.Call, ast.Attribute)):
            target = target.func if isinstance(target, ast.Call) else target.value
        if target is at.node or not (isinstance(target, ast.Name) or column(target)):
            return
        loops = [a for a in syntax.ancestors(at.cell, statement) if isinstance(a, ast.For)]
        if any(
            isinstance(n, ast.Name) and ast.unparse(n) == ast.unparse(target) for a in loops for n in ast.walk(a.target)
        ):
            return
        start = at.cell.span(statement)
        place = Span(start.line, start.column, start.line, start.column)
        yield Way(f"keep the result in `{at.text(target)}`", [Edit(place, f"{at.text(target)} = ")])
