"""`rows-counted-as-periods`: so many rows are taken for so many days or months, and some are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import holders, said
from reflex_magic.checks.syntax import statement, texts
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_SEASONS = {("M", 12), ("Q", 4), ("D", 7), ("W", 52), ("h", 24), ("D", 365)}
_NAMES = {"h": "hour", "D": "day", "W": "week", "M": "month", "Q": "quarter"}
_ROWS = re.compile(
    r"\b(observ\w+|rows?|records?|readings?|measure\w*|trading|business|available|on purpose)\b", re.IGNORECASE
)


class RowsCountedAsPeriods(Check):
    """`shift`, `diff`, `pct_change` or `rolling` count rows, and days or months between the rows are missing.

    Found where the index is dates in order at a regular distance with gaps, and the row so many rows before is not so
    many days or months before: 12 rows of months, 4 of quarters, 7 of days, 24 of hours; the change from month to
    month; or a window that a name or comment calls so many days, weeks or months. A note in all other cases.

    Silent on days without weekends, where nothing is missing, where a window is a length of time (``"7D"``) or `freq`
    is given, and where a comment speaks of rows or observations.

    Example
    -------
    ::

        import pandas as pd
        months = pd.date_range("2022-01-01", periods=30, freq="MS").delete(7)
        sales = pd.Series(range(29), index=months)
        %%reflect
        growth = sales / sales.shift(12) - 1
        %%clean
        growth = sales / sales.asfreq("MS").shift(12) - 1
    """

    name = "rows-counted-as-periods"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("row_steps"):
            if not op.facts["apart"] or says_so(run.cell, op.span, _ROWS):
                continue
            f = op.facts
            step = _NAMES[f["step"]]
            yield self.finding(
                op,
                Severity.MAY if _matters(run, op) else Severity.NOTE,
                f"`{f['method']}` counts {count(f['periods'], 'row')} as {count(f['periods'], step)},"
                f" but {step}s are missing"
                f" in {count(f['gaps'], 'place')}: {f['apart']:,} of {count(f['rows'], 'row')} are"
                " taken with a wrong one",
                "Put the missing ones in first (`asfreq`), or count in time (a window such as `7D`, `freq=`).",
                {k: f[k] for k in ("periods", "step", "gaps", "apart", "rows")},
            )


def _matters(run: Run, op: Operation) -> bool:
    f = op.facts
    if f["method"] == "rolling":
        around = statement(run.cell, op.span)
        words = " ".join([said(run), *holders(run.cell, op), *(texts(around) if around else ())])
        step = _NAMES[f["step"]]
        named = rf"(?<!\d){f['periods']}[ _-]?({step}|{step[0]}(?![a-z]))"
        return bool(re.search(named, words, re.IGNORECASE)) or (f["step"], f["periods"]) in {("D", 7), ("M", 12)}
    if (f["step"], f["periods"]) in _SEASONS:
        return True
    return f["method"] == "pct_change" and f["periods"] == 1 and f["step"] in "MQ"
