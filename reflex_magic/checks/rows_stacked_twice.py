"""`rows-stacked-twice`: the same rows are in the result of `concat` twice."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import REPEATED, says_so
from reflex_magic.checks.syntax import call, calls, follows
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_UNIQUE = frozenset({"drop_duplicates", "unique", "nunique", "duplicated", "sample"})


class RowsStackedTwice(Check):
    """A table stands twice among those that `concat` puts under each other.

    Reported when a list that was filled before holds the same table twice, or one whose rows are the last ones of the
    table before it; when one of three or more tables written out is written twice (``[jan, feb, feb]``); and when a
    loop that makes a table anew each time adds the same rows as the time before. Silent
    when nothing but one table is repeated (``[df, df]``, ``[df] * 3``), when duplicates are dropped
    from the result or rows are drawn from it, and when a comment says that rows repeat.

    Example
    -------
    ::

        import pandas as pd
        jan, feb, mar = (pd.DataFrame({"day": [1, 2], "eur": [n, 2.0 * n]}) for n in (1.0, 2.0, 3.0))
        %%reflect
        quarter = pd.concat([jan, feb, feb], ignore_index=True)
        total = quarter["eur"].sum()
        %%clean
        quarter = pd.concat([jan, feb, mar], ignore_index=True)
        total = quarter["eur"].sum()
    """

    name = "rows-stacked-twice"
    frames = ("pandas", "polars", "pyarrow", "dask")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("concat"):
            if not op.facts["again"] or says_so(run.cell, op.span, REPEATED):
                continue
            if _is_meant(run.cell, op) or any(
                m in _UNIQUE and follows(run.cell, op, on) for _, m, on in calls(run.cell)
            ):
                continue
            again, parts = op.facts["again"], op.facts["parts"]
            yield self.finding(
                op,
                Severity.MAY,
                f"{again:,} of {count(parts, 'table')} put under each other {'has' if again == 1 else 'have'} the rows"
                f" of another one: these rows are in the result twice",
                "Put each table into the list once.",
                {"parts": parts, "again": again, "rows": list(op.facts["rows"])},
            )


def _is_meant(cell: Cell, op: Operation) -> bool:
    """Whether the repetition is written out as such."""
    node = call(cell, op)
    given = node.args[0] if node is not None and node.args else None
    match given:
        case ast.List(elts=[_, ast.Name(id=part)]) | ast.Tuple(elts=[_, ast.Name(id=part)]):
            return not _is_made_in_a_loop(cell, given, part)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            written = Counter(map(ast.unparse, elements))
            return len(written) == 1 or max(written.values()) > 2 or len(elements) < 3
        case ast.Name(id=name):
            return any(isinstance(part, ast.BinOp) for value in _assigned(cell.tree, name) for part in ast.walk(value))
    return True


def _is_made_in_a_loop(cell: Cell, inner: ast.expr, name: str) -> bool:
    """Whether a loop around `inner` makes `name` anew each time."""
    for loop in cell.nodes:
        if isinstance(loop, ast.For) and any(part is inner for part in ast.walk(loop)):
            targets = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
            if name in targets or _assigned(loop, name):
                return True
    return False


def _assigned(tree: ast.AST, name: str) -> list[ast.expr]:
    return [
        part.value
        for part in ast.walk(tree)
        if isinstance(part, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in part.targets)
    ]
