"""`duplicates-by-part-of-row`: rows are dropped as duplicates that differ in what is then added up."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.flow import Gaps, follow
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.checks.syntax import call, calls, mentions, receiver, target, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_ORDERED = frozenset({"sort_values", "sort_index", "nlargest", "nsmallest", "sort"})


class DuplicatesByPartOfRow(Check):
    """`drop_duplicates` compares some columns only, and a column that differs is added up afterwards.

    Silent when ``keep=`` is written or the rows were sorted, so that one of each is meant; when the other
    columns are the same in the rows dropped; and when a comment speaks of it.

    Example
    -------
    ::

        import pandas as pd
        gifts = pd.DataFrame({"who": ["ann", "ann", "ben"], "day": [1, 2, 1], "eur": [10.0, 15.0, 20.0]})
        %%reflect
        unique = gifts.drop_duplicates(subset=["who"])
        total = unique["eur"].sum()
        %%clean
        unique = gifts.drop_duplicates()
        total = unique["eur"].sum()
    """

    name = "duplicates-by-part-of-row"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("deduplicate"):
            if not op.facts["differing"] or "keep" in op.keywords:
                continue
            node = call(run.cell, op)
            if node is None or _is_ordered(run.cell, op) or says_so(run.cell, op.span, LEFT_OUT):
                continue
            differing = op.facts["differing"]
            summed = [n for n, _ in follow(run.cell, node, Gaps(columns=set(differing)))]
            name = next((n for n in summed if n in differing), next((n for n in differing if summed), None))
            if name is not None:
                yield self._finding(op, name)

    def _finding(self, op: Operation, name: str) -> Finding:
        rows, dropped, differing = op.facts["rows"], op.facts["dropped"], op.facts["differing"][name]
        return self.finding(
            op,
            Severity.MAY,
            f"{dropped:,} of {count(rows, 'row')} were dropped as duplicates by {listed(op.facts['compared'])} alone,"
            f" and {count(differing, 'row')} of them have another `{name}`, which is added up",
            "Compare whole rows (.drop_duplicates()), or write keep= after sorting to say which row is meant.",
            {
                "rows": rows,
                "dropped": dropped,
                "compared": list(op.facts["compared"]),
                "differing": differing,
            },
        )


def _is_ordered(cell: Cell, op: Operation) -> bool:
    frame = variable(receiver(call(cell, op)))
    for node, method, on in calls(cell):
        if method not in _ORDERED or node.lineno > op.span.end_line:
            continue
        if frame in mentions(on) or frame in target(cell, cell.span(node)).names:
            return True
    return False
