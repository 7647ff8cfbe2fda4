"""`years-mixed-in-months`: rows of several years are added up under the same month."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import holders, said
from reflex_magic.checks.syntax import calls, mentions, texts
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_ADDING = frozenset({"sum", "count", "size", "nunique"})
_GROUPING = frozenset({"groupby", "pivot_table", "crosstab", "value_counts"})
_COUNTING = frozenset({"crosstab", "value_counts"})
_YEAR = re.compile(r"year|yr|annual|season|fiscal|fy|%Y|%G|%y", re.IGNORECASE)
_SEASON = re.compile(
    r"season\w*|climat\w*|typical|profile|(month|quarter) of (the )?year|calendar month|calendar quarter"
    r"|(across|over|all|any|every|both|several|regardless of|pooled|combin\w+)( \w+){0,2} years?|by year|year by year",
    re.IGNORECASE,
)


class YearsMixedInMonths(Check):
    """Rows are grouped by month or quarter alone and added up, while the months occur in different numbers of years.

    January of two years and July of one then stand in one table as if they were comparable. A note only where every
    month occurs in as many years as the others: such a table may be meant as a seasonal one.

    Silent on means, where a key or column of the grouping has a year, where the rows are of one year, and where a
    comment or the goal speaks of seasons or of all years.

    Example
    -------
    ::

        import pandas as pd
        rides = pd.DataFrame({"day": pd.date_range("2023-01-01", "2024-02-29"), "n": 1})
        %%reflect
        monthly = rides.groupby(rides["day"].dt.month)["n"].sum()
        %%clean
        monthly = rides.groupby(rides["day"].dt.to_period("M"))["n"].sum()
    """

    name = "years-mixed-in-months"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        found = [op for op in run.operations if op.kind == "calendar_part" and op.facts["part"] in ("month", "quarter")]
        if not found or not any(op.facts["years"] > 1 for op in found) or _SEASON.search(said(run)):
            return
        for op in found:
            if op.facts["years"] < 2 or not _is_added_up(run, op):
                continue
            f = op.facts
            uneven = f["most"] > f["fewest"]
            spread = (
                f"some {f['part']}s occur in {f['most']} of the years, others in {f['fewest']}"
                if uneven
                else f"each occurs in {f['most']} of them"
            )
            yield self.finding(
                op,
                Severity.MAY if uneven else Severity.NOTE,
                f"{count(f['rows'], 'row')} of {f['years']} years are added up by {f['part']} alone: {spread}",
                f'Keep the year in the key: `.dt.to_period("{f["part"][0].upper()}")`.',
                {"rows": f["rows"], "years": f["years"], "most": f["most"], "fewest": f["fewest"]},
            )


def _is_added_up(run: Run, op: Operation) -> bool:
    """Whether rows are grouped by this part without a year, and something is added up."""
    cell = run.cell
    into = holders(cell, op)
    inner = cell.node_at(op.span)
    spans = {o.span: o.facts["aggregations"] for o in run.operations if o.kind in ("groupby", "pivot_table")}
    for node, method, on in calls(cell):
        if method not in _GROUPING:
            continue
        given = [on] if method == "value_counts" else [*node.args, *(k.value for k in node.keywords)]
        inside = any(part is inner for a in given for part in ast.walk(a))
        named = node.lineno > op.span.end_line and any(not into.isdisjoint(texts(a) or mentions(a)) for a in given)
        if not (inside or named) or any(_YEAR.search(word) for a in given for word in mentions(a)):
            continue
        if method in _COUNTING or not _ADDING.isdisjoint(spans.get(cell.span(node), ())):
            return True
    return False
