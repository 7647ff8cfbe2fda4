"""`asof-meets-wrong-rows`: `merge_asof` found the nearest row, but not one that belongs there."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class AsofMeetsWrongRows(Check):
    """`merge_asof` meets any row before, however far away and whatever it belongs to.

    Reported when the keys of both tables do not overlap at all (another unit, another year); when
    ``by=`` is absent although both have a column in common whose values differ in rows that met; and when,
    without ``tolerance=``, rows met one more than ten steps away in a table whose rows are evenly spaced. Silent
    for tables that hold from a date on (prices, rates), whose rows are not evenly spaced.

    Example
    -------
    ::

        import pandas as pd
        trades = pd.DataFrame({"at": [1, 2, 3], "coin": ["x", "y", "x"], "units": [1, 1, 2]})
        quotes = pd.DataFrame({"at": [1, 2, 3], "coin": ["x", "x", "y"], "price": [10.0, 11.0, 90.0]})
        %%reflect
        priced = pd.merge_asof(trades, quotes, on="at")
        %%clean
        priced = pd.merge_asof(trades, quotes, on="at", by="coin")
    """

    name = "asof-meets-wrong-rows"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("asof"):
            if says_so(run.cell, op.span, LEFT_OUT):
                continue
            f, rows = op.facts, count(op.facts["left_rows"], "row")
            if f["apart"]:
                yield self._finding(
                    op,
                    f"the keys of both tables do not overlap: all {rows} of the left one lie before or after all"
                    f" {f['right_rows']:,} of the right one",
                    "Bring both keys to one unit and one period first.",
                )
            elif f["shared"] and not f["by"]:
                name, differ = max(f["shared"].items(), key=lambda item: item[1])
                yield self._finding(
                    op,
                    f"{count(differ, 'row')} met one with another `{name}`: both tables have"
                    f" {listed(list(f['shared']))}, and the rows met by the nearest key only",
                    f'Write by="{name}".',
                )
            elif f["far"] and not f["tolerance"]:
                yield self._finding(
                    op,
                    f"{count(f['far'], 'row')} of {f['left_rows']:,} met a row more than ten steps of the right table"
                    " away, among those looked at",
                    "Write tolerance= to leave them without a match.",
                )

    def _finding(self, op: Operation, message: str, suggestion: str) -> Finding:
        told = ("left_rows", "right_rows", "unmatched", "by", "tolerance", "far")
        return self.finding(op, Severity.MAY, message, suggestion, {k: op.facts[k] for k in told})
