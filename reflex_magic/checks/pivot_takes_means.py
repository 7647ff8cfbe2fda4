"""`pivot-takes-means`: a pivot table averages rows that were to be added up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import said
from reflex_magic.checks.syntax import call, calls, follows, target
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_TOTALS = re.compile(
    r"(\b|_)(totals?|sums?|summed|revenue|turnover|altogether|overall|how (much|many)|number of|amounts?|counts?"
    r"|add(ed)? up)(\b|_)",
    re.I,
)
_MEANS = re.compile(r"(\b|_)(means?|averages?|avg|typical|per (day|visit|order|row))(\b|_)", re.I)
_WIDE = 3


class PivotTakesMeans(Check):
    """``pivot_table`` without ``aggfunc=`` takes the mean where several rows share a cell.

    Found where the goal, a comment or the name of the result speaks of totals, or where the result is added up. A note
    in other cases in which rows share a cell. Silent where each cell has one row, where ``aggfunc=`` is written, and
    where words speak of means.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["n", "n", "s"], "item": ["tea", "tea", "jam"], "eur": [2.0, 4.0, 5.0]})
        %%reflect
        totals = sales.pivot_table(index="shop", columns="item", values="eur")
        %%clean
        totals = sales.pivot_table(index="shop", columns="item", values="eur", aggfunc="sum")
    """

    name = "pivot-takes-means"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("pivot_table"):
            if not op.facts.get("repeats") or "**" in op.keywords:
                continue
            node = call(run.cell, op)
            if node is None or _is_positional(node) or says_so(run.cell, op.span, _MEANS):
                continue
            names = " ".join(target(run.cell, op.span).names)
            text = f"{said(run)} {names}"
            if _MEANS.search(text):
                continue
            wants = bool(_TOTALS.search(text)) or _is_added_up(run, op)
            rows, repeats = op.facts["rows"], op.facts["repeats"]
            yield self.finding(
                op,
                Severity.MAY if wants else Severity.NOTE,
                f"{repeats:,} of {count(rows, 'row')} share a cell with another row, and `pivot_table` takes the mean",
                'Write aggfunc="sum", or aggfunc="mean" to say that it is meant.',
                {"rows": rows, "repeats": repeats},
            )


def _is_positional(node: ast.Call) -> bool:
    """Whether ``aggfunc`` is given by its place."""
    module = (
        isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "pd"
    )
    return len(node.args) > _WIDE + module


def _is_added_up(run: Run, op: Operation) -> bool:
    return any(method == "sum" and follows(run.cell, op, on) for _, method, on in calls(run.cell))
