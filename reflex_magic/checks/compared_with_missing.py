"""`compared-with-missing`: nothing is equal to a missing value, not even another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import looks_at_missing
from reflex_magic.checks.syntax import calls, mentions
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_HANDLES = frozenset({"fillna", "dropna", "isna", "isnull", "notna", "notnull", "equals", "compare"})


class ComparedWithMissing(Check):
    """A comparison looks for missing values, and finds none of those that are there.

    ``== None``, ``== np.nan`` and, where the values are missing and no text, ``== "nan"`` and ``== ""``. Reported as
    well: two columns compared by `!=` of which both are missing in some rows, since these rows count as different.
    Silent when nothing is missing, and when the cell tests the column for missing values or fills them.

    Example
    -------
    ::

        import numpy as np
        import pandas as pd
        staff = pd.DataFrame({"name": ["Uma", "Vic"], "left": [2020.0, np.nan]})
        %%reflect
        active = staff[staff["left"] == np.nan]
        %%clean
        active = staff[staff["left"].isna()]
    """

    name = "compared-with-missing"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("compare"):
            f = op.facts
            if f["how"] not in ("missing", "word", "both") or _is_handled(run.cell, op):
                continue
            rows, one = count(f["looked"], "row"), f["near"] == 1
            column = f"`{f['column']}`" if f["column"] else "a value"
            match f["how"]:
                case "missing":
                    message = f"nothing equals a missing value: `{f['op']}` finds none of {f['near']:,} among {rows}"
                    advice = "Test with .isna() or .notna()."
                case "word":
                    what = "an empty text" if f["blank"] else "a text"
                    message = (
                        f"{f['near']:,} of {rows} {'has' if one else 'have'} no {column}, and none of these is equal to"
                        f" {what}: they are missing"
                    )
                    advice = "Test with .isna() or .notna(), or fill them first."
                case _:
                    message = f"in {f['near']:,} of {rows} both sides are missing, and `!=` takes them for different"
                    advice = "Leave out rows where both are missing: & ~(a.isna() & b.isna())."
            told = {name: f[name] for name in ("rows", "matched", "near")}
            yield self.finding(op, Severity.MAY, message, advice, told)


def _is_handled(cell: Cell, op: Operation) -> bool:
    names = {op.facts["column"]} if op.facts["column"] else set()
    node = cell.node_at(op.span)
    if isinstance(node, ast.Compare):
        names |= {n.id for n in [node.left, *node.comparators] if isinstance(n, ast.Name)}
    if looks_at_missing(cell, None, names):
        return True
    return any(method in _HANDLES and not names.isdisjoint(mentions(c)) for c, method, _ in calls(cell))
