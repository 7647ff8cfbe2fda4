"""`compared-with-midnight`: a day is looked for among points in time, and only midnight is found."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ComparedWithMidnight(Check):
    """A column with times of the day is compared with a day, which equals its first instant only.

    The same for a month or a year written as text. A note when rows at midnight are found: they may be meant. Silent
    when no row of that day has another time.

    Example
    -------
    ::

        import pandas as pd
        calls = pd.DataFrame({"at": pd.to_datetime(["2024-03-01 09:15", "2024-03-01 11:40", "2024-03-02 08:00"])})
        %%reflect
        n = (calls["at"] == "2024-03-01").sum()
        %%clean
        n = (calls["at"].dt.normalize() == "2024-03-01").sum()
    """

    name = "compared-with-midnight"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("compare"):
            f = op.facts
            if f["how"] != "time":
                continue
            met = f["matched"] if f["op"] == "==" else f["rows"] - f["matched"]
            yield self.finding(
                op,
                Severity.NOTE if met else Severity.MAY,
                f"{f['near']:,} of {count(f['looked'], 'value')} {'lies' if f['near'] == 1 else 'lie'} within"
                " that time, and"
                f" `{f['op']}` compares with its first instant only ({count(met, 'row')})",
                'Compare days with days: .dt.normalize(), or a range (>= "day", < "next day").',
                {name: f[name] for name in ("rows", "matched", "near", "looked")},
            )
