"""`apply-returns-nothing`: a function that is applied to each row returns nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import call, statement
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class ApplyReturnsNothing(Check):
    """``df["size"].apply(label)`` gives None for each row, because `label` has no ``return`` that is reached.

    Found where the result is kept, and where the function writes into the row that it was given: the row is a copy.
    Silent where `apply` stands alone and the function only prints or collects, and where the result goes to `_`.

    Example
    -------
    ::

        import pandas as pd
        boxes = pd.DataFrame({"cm": [10, 40]})
        %%reflect
        def label(cm):
            text = "large" if cm > 30 else "small"
        boxes["label"] = boxes["cm"].apply(label)
        %%clean
        def label(cm):
            return "large" if cm > 30 else "small"
        boxes["label"] = boxes["cm"].apply(label)
    """

    name = "apply-returns-nothing"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("applied"):
            around = statement(run.cell, op.span)
            written = _written(run.cell, op)
            if isinstance(around, ast.Expr) and not written:
                continue
            if isinstance(around, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "_" for t in around.targets):
                continue
            rows = count(op.facts["rows"], "row")
            yield self.finding(
                op,
                Severity.MAY,
                f"the function returns nothing for each of {rows}"
                + (f", and `{written}` is written to a copy of the row" if written else ""),
                "Return the value from the function, and assign the result.",
                {"rows": op.facts["rows"]},
            )


def _written(cell: Cell, op: Operation) -> str:
    """``row["a"]``, where the function writes into what it is given."""
    node = call(cell, op)
    name = node.args[0].id if node is not None and node.args and isinstance(node.args[0], ast.Name) else ""
    for function in cell.tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == name and function.args.args:
            row = function.args.args[0].arg
            for part in ast.walk(function):
                match part:
                    case ast.Subscript(value=ast.Name(id=base), ctx=ast.Store()) if base == row:
                        return ast.unparse(part)
    return ""
