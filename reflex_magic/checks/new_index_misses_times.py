"""`new-index-misses-times`: `reindex` by dates that the times of the rows are not."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import be
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class NewIndexMissesTimes(Check):
    """`reindex` drops rows whose time of day is not in the new index.

    Found where the new index ends at midnight of its last day, as ``date_range(..., "2024-01-31", freq="h")`` does,
    and the data go on that day; and where no label is met although the days are the same, since the rows have a time
    of day.

    Silent where rows beyond the last day are left out, and with `method=`.

    Example
    -------
    ::

        import pandas as pd
        load = pd.Series(1.0, index=pd.date_range("2024-01-01", "2024-01-03 23:00", freq="h"))
        %%reflect
        whole = load.reindex(pd.date_range("2024-01-01", "2024-01-03", freq="h"))
        %%clean
        whole = load.reindex(pd.date_range("2024-01-01", "2024-01-03 23:00", freq="h"))
    """

    name = "new-index-misses-times"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("reindex_times"):
            f = op.facts
            if f["late"]:
                message = (
                    f"the new index ends at midnight, and {f['late']:,} of {count(f['rows'], 'row')} {be(f['late'])}"
                    " later on that day"
                )
                advice = "Let it end with the day: the next day, and inclusive='left'."
            elif f["days"]:
                message = (
                    f"none of {count(f['labels'], 'date')} of the new index is the time of a row, though the day of"
                    f" {count(f['days'], 'row')} is among them: all became missing"
                )
                advice = "Take the days first: `.index.normalize()`, or resample."
            else:
                continue
            yield self.finding(op, Severity.MAY, message, advice, dict(f))
