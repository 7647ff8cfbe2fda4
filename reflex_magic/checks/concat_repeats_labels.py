"""`concat-repeats-labels`: row labels repeat after `concat`, and one label then means several rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import call, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_BY_LABEL = frozenset({"idxmax", "idxmin"})


class ConcatRepeatsLabels(Check):
    """Tables with labels 0, 1, 2, ... are put under each other, and rows are then picked by such a label.

    Reported when labels repeat and the cell picks or drops rows of the result by such a number
    (``.loc[0]``, ``.at[...]``, ``.drop(3)``, ``.loc[...idxmax()]``). Silent when ``ignore_index=True`` is
    written, when the index is made anew or is a key (it has a name, or texts), and when rows are picked by a
    condition or by position.

    Example
    -------
    ::

        import pandas as pd
        may = pd.DataFrame({"shop": ["a", "b"], "eur": [1.0, 2.0]})
        june = pd.DataFrame({"shop": ["a", "b"], "eur": [4.0, 8.0]})
        %%reflect
        both = pd.concat([may, june])
        first = both.loc[0, "eur"]
        %%clean
        both = pd.concat([may, june], ignore_index=True)
        first = both.loc[0, "eur"]
    """

    name = "concat-repeats-labels"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("concat"):
            if not op.facts["repeated"]:
                continue
            used = _used(run.cell, op, target(run.cell, op.span).names)
            if used is not None:
                repeated, rows = op.facts["repeated"], sum(op.facts["rows"])
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{count(repeated, 'label')} of {count(rows, 'row')} repeat after `concat`, and"
                    f" `{ast.unparse(used)}` takes every row that has its label",
                    "Write ignore_index=True in concat, or give the rows labels of their own with set_index.",
                    {"rows": rows, "repeated": repeated, "parts": op.facts["parts"]},
                )


def _used(cell: Cell, op: Operation, names: frozenset[str]) -> ast.expr | None:
    """The first place after the operation where a row of its result is taken by a label."""
    node = call(cell, op)
    for statement in cell.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names and value is not node:
                if statement.lineno > op.span.end_line:
                    return None  # something else is under this name from here on
        for part in ast.walk(statement):
            if isinstance(part, ast.expr) and part.lineno > op.span.end_line and _is_by_label(part, names):
                return part
    return None


def _is_by_label(node: ast.expr, names: frozenset[str]) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="loc" | "at"), slice=key):
            row = key.elts[0] if isinstance(key, ast.Tuple) and key.elts else key
            return name in names and _is_label(row)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="drop"), args=[row, *_], keywords=keywords):
            return name in names and _is_label(row) and not any(k.arg in ("columns", "axis") for k in keywords)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="drop"), keywords=[ast.keyword("index", row)]):
            return name in names and _is_label(row)
    return False


def _is_label(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int()):
            return True
        case ast.List(elts=elements):
            return bool(elements) and all(map(_is_label, elements))
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in _BY_LABEL
    return False
