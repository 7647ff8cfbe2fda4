"""`whole-numbers-with-point`: numbers become text with ``.0``, and are then looked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import calls, mentions, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_MEETS = frozenset({"merge", "join", "map", "isin", "zfill", "concat", "cat"})
_MENDS = frozenset({"replace", "removesuffix", "rstrip", "split", "slice", "extract", "partition"})


class WholeNumbersWithPoint(Check):
    """``astype(str)`` makes "7.0" of 7.0, and the texts are then joined, looked up or put together.

    Whole numbers are floats where one is missing. Silent when the cell removes the ``.0``, when the texts are only
    shown, and when they are put together with others and none is missing.

    Example
    -------
    ::

        import numpy as np
        import pandas as pd
        plots = pd.DataFrame({"area": ["n", "s", "s"], "block": [1.0, 2.0, np.nan]})
        %%reflect
        plots["key"] = plots["area"] + plots["block"].astype(str)
        %%clean
        plots["key"] = plots["area"] + plots["block"].astype("Int64").astype(str)
    """

    name = "whole-numbers-with-point"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("cast"):
            if not op.facts.get("dotted") or not _meets(run.cell, op):
                continue
            f = op.facts
            yield self.finding(
                op,
                Severity.MAY,
                f"all {count(f['dotted'], 'number')} looked at of `{f['column']}` are whole, and `astype(str)`"
                " writes them"
                " with `.0`",
                'Convert to whole numbers first: .astype("Int64").astype(str).',
                {"rows": f["rows"], "looked": f["looked"], "dotted": f["dotted"]},
            )


def _meets(cell: Cell, op: Operation) -> bool:
    """Whether the texts meet other ones, and nothing mends them."""
    node = cell.node_at(op.span)
    into = target(cell, op.span)
    # In an expression the result may be something else than the texts.
    whole = any(isinstance(n, ast.Assign) and n.value is node for n in cell.nodes)
    names = (into.names | into.columns) if whole else frozenset()

    def has(part: ast.AST) -> bool:
        return any(p is node for p in ast.walk(part)) or (
            not names.isdisjoint(mentions(part)) and getattr(part, "lineno", 0) > op.span.end_line
        )

    if any(method in _MENDS and has(on) for _, method, on in calls(cell)):
        return False
    if any(
        isinstance(p, ast.Subscript) and isinstance(p.value, ast.Attribute) and p.value.attr == "str" and has(p.value)
        for p in cell.nodes
    ):
        return False
    if any(method in _MEETS and has(call) for call, method, _ in calls(cell)):
        return True
    # Without a gap they may well be measurements, which are put together with text to be shown.
    return op.facts["gaps"] and any(
        isinstance(p, ast.BinOp)
        and isinstance(p.op, ast.Add)
        and (p.left is node or p.right is node or has(p.left) or has(p.right))
        for p in cell.nodes
    )
