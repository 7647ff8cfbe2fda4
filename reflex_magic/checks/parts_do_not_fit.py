"""`parts-do-not-fit`: two parts of a table share a row, or leave one out between them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class PartsDoNotFit(Check):
    """``df.loc[:100]`` and ``df.loc[100:]`` both hold row 100, and ``df.iloc[101:]`` after ``df.iloc[:100]`` skips one.

    Found where a cell takes two slices of one table, one from its beginning and one to its end, and the limit is
    the same (`loc` includes it on both sides) or one further (`iloc` does not). Silent for slices by position at
    the same limit, and where a comment says that parts overlap or that there is a gap.

    Example
    -------
    ::

        import pandas as pd
        days = pd.DataFrame({"n": range(10)})
        %%reflect
        train, test = days.loc[:6], days.loc[6:]
        %%clean
        train, test = days.iloc[:6], days.iloc[6:]
    """

    name = "parts-do-not-fit"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        if not run.cards or "oc[" not in run.cell.python:
            return
        low = list(_slices(run.cell, upper=True))
        for part, table, indexer, limit in _slices(run.cell, upper=False):
            for _, other, also, end in low:
                if (table, indexer) != (other, also):
                    continue
                shared = indexer == "loc" and ast.dump(limit) == ast.dump(end)
                missed = indexer == "iloc" and _is_one_further(limit, end)
                if shared or missed:
                    span = run.cell.span(part)
                    yield Finding(
                        self.code,
                        Severity.MAY,
                        span,
                        run.cell.text(span).split("\n")[0],
                        f"the row at `{ast.unparse(end)}` is in both parts of `{table}`"
                        if shared
                        else f"the row at `{ast.unparse(end)}` is in no part of `{table}`",
                        "The end of a slice by label is included; that of a slice by position (iloc) is not.",
                    )


def _slices(cell: Cell, *, upper: bool) -> Iterator[tuple[ast.Subscript, str, str, ast.expr]]:
    """Slices that begin, or end, with the table: the node, the table, "loc" or "iloc", and their one limit."""
    for node in cell.nodes:
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=table, attr="loc" | "iloc" as indexer),
                slice=ast.Slice(lower=low, upper=high, step=None)
                | ast.Tuple(elts=[ast.Slice(lower=low, upper=high), *_]),
                ctx=ast.Load(),
            ):
                limit = (high if low is None else None) if upper else (low if high is None else None)
                if limit is not None:
                    yield node, ast.unparse(table), indexer, limit


def _is_one_further(limit: ast.expr, end: ast.expr) -> bool:
    match limit, end:
        case ast.Constant(value=int() as a), ast.Constant(value=int() as b):
            return a == b + 1
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)), _:
            return ast.dump(left) == ast.dump(end)
    return False
