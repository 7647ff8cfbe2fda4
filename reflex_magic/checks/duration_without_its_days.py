"""`duration-without-its-days`: `.seconds` of durations that last a day or more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import attributes, be
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_REST = re.compile(r"\b(rest|remainder|without the days|time of day|within the day|clock|on purpose)\b", re.IGNORECASE)


class DurationWithoutItsDays(Check):
    """`.dt.seconds` and `.seconds` are the rest of a duration after its whole days.

    Found where a duration is a day or longer, so that its days are lost. Where durations are negative only, it is
    a note: -1 hour is -1 day and 82,800 seconds, which is sometimes wanted for shifts over midnight.

    Silent where the cell takes the days as well (`.days`, `.components`), and where a comment says so.

    Example
    -------
    ::

        import pandas as pd
        jobs = pd.DataFrame({"took": pd.to_timedelta(["5h", "49h"])})
        %%reflect
        hours = jobs["took"].dt.seconds / 3600
        %%clean
        hours = jobs["took"].dt.total_seconds() / 3600
    """

    name = "duration-without-its-days"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        found = list(run.of("duration_part"))
        if not found or not attributes(run.cell).isdisjoint({"days", "components"}):
            return
        for op in found:
            if says_so(run.cell, op.span, _REST):
                continue
            f = op.facts
            what = (
                f"{f['longer']:,} of {count(f['values'], 'duration')} {be(f['longer'])} a day or longer"
                if f["longer"]
                else ""
            )
            below = (
                f"{f['negative']:,} of {count(f['values'], 'duration')} {be(f['negative'])} negative"
                if f["negative"]
                else ""
            )
            yield self.finding(
                op,
                Severity.MAY if f["longer"] else Severity.NOTE,
                f"{' and '.join(filter(None, (what, below)))}; `.seconds` is what is left after the whole days",
                "Take the whole duration: `.total_seconds()`.",
                dict(f),
            )
