"""`spellings-counted-apart`: values that differ in case or blanks are counted as different ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import EXACT, says_so
from reflex_magic.checks.syntax import calls, mentions
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_SPELLS = frozenset({"lower", "upper", "strip", "casefold", "title", "capitalize"})


class SpellingsCountedApart(Check):
    """`nunique` and ``len(column.unique())`` count spellings of one value as several values.

    Silent for `unique` alone, which is how spellings are looked at, when the cell counts the folded column as well,
    and when a comment says that spelling counts.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"town": ["Ulm", "ulm", "Ulm ", "Jena"]})
        %%reflect
        towns = visits["town"].nunique()
        %%clean
        towns = visits["town"].str.strip().str.lower().nunique()
    """

    name = "spellings-counted-apart"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("distinct"):
            if says_so(run.cell, op.span, EXACT) or not _is_counted(run.cell, op):
                continue
            f = op.facts
            if any(m in _SPELLS and f["column"] in mentions(on) for _, m, on in calls(run.cell)):
                continue
            yield self.finding(
                op,
                Severity.MAY,
                f"{count(f['distinct'], 'value')} of `{f['column']}` looked at are {f['folded']:,} without"
                " regard to case"
                " and blanks",
                "Bring the column to one spelling first (.str.strip(), .str.lower()).",
                {"rows": f["rows"], "distinct": f["distinct"], "folded": f["folded"]},
            )


def _is_counted(cell: Cell, op: Operation) -> bool:
    node = cell.node_at(op.span)
    for outer in cell.nodes:
        match outer:
            case ast.Call(func=ast.Name(id="len"), args=[inner]) if inner is node:
                return True
            case ast.Attribute(value=inner, attr="size" | "shape") if inner is node:
                return True
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "nunique"
