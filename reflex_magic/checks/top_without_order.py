"""`top-without-order`: the first rows are taken for the largest, and nothing is in order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import said
from reflex_magic.checks.syntax import calls, target
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_TOP = re.compile(
    r"(\b|_)(top|largest|biggest|highest|best|smallest|lowest|worst|most \w+|busiest|strongest)(\b|_)", re.I
)
_ORDERS = frozenset(
    {"sort_values", "sort_index", "nlargest", "nsmallest", "rank", "argsort", "sort", "idxmax", "idxmin"}
)
_ORDERS = _ORDERS | {"value_counts", "cummax", "cummin"}


class TopWithoutOrder(Check):
    """``df.head(3)`` for the top three, where no column is in order.

    Found where the goal, a comment or the name of the result speaks of the top, the largest or the lowest, and neither
    a number, a date nor a text in the table goes up or down from row to row, and the cell sorts nothing.

    Example
    -------
    ::

        import pandas as pd
        shops = pd.DataFrame({"shop": ["n", "w", "a", "s"], "eur": [4.0, 9.0, 2.0, 7.0]})
        %%reflect
        top = shops.head(2)
        %%clean
        top = shops.nlargest(2, "eur")
    """

    name = "top-without-order"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("ends"):
            if op.facts["method"] not in ("head", "tail") or set(op.facts["ordered"]) - {"index"}:
                continue
            if op.facts["groups"] or op.facts["taken"] >= op.facts["rows"] or not _is_top(run, op):
                continue
            if any(method in _ORDERS for _, method, _ in calls(run.cell)) or "sorted(" in run.cell.python:
                continue
            taken, rows = op.facts["taken"], op.facts["rows"]
            yield self.finding(
                op,
                Severity.MAY,
                f"`{op.facts['method']}` takes {taken:,} of {count(rows, 'row')} as they stand: no column is in order",
                "Take them by value: df.nlargest(n, column), or sort first.",
                {"rows": rows, "taken": taken},
            )


def _is_top(run: Run, op: Operation) -> bool:
    into = target(run.cell, op.span)
    return bool(into.names) and bool(_TOP.search(" ".join(into.names)) or _TOP.search(said(run)))
