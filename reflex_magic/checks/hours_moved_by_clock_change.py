"""`hours-moved-by-clock-change`: whole days are added across the change to or from summer time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import LEFT_OUT, looks_at_missing, says_so
from reflex_magic.checks.purpose import be, holders
from reflex_magic.checks.syntax import calls
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_ELAPSED = re.compile(r"\b(24[ -]?(h|hours?)|elapsed|exact\w*|absolute|on purpose)\b", re.IGNORECASE)


class HoursMovedByClockChange(Check):
    """The clock is changed between the times, and hours move or are lost.

    ``times + pd.Timedelta(days=1)`` adds 24 hours: over the night of the change, midnight becomes 23:00 or 01:00. Found
    where all times had the same time of day and some have not afterwards; where they had different ones it is a note.
    Times that ``tz_localize(..., ambiguous="NaT")`` or ``nonexistent="NaT"`` made missing are found as well.

    Silent on times without a zone or in UTC, where no change lies between, where a comment says that 24 hours are
    meant or that such times are left out, and where the cell looks at what is missing.

    Example
    -------
    ::

        import pandas as pd
        days = pd.Series(pd.date_range("2024-10-26", periods=3, tz="Europe/Berlin"))
        %%reflect
        ends = days + pd.Timedelta(days=1)
        %%clean
        ends = days + pd.DateOffset(days=1)
    """

    name = "hours-moved-by-clock-change"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            f = op.facts
            if op.kind == "day_moves" and not says_so(run.cell, op.span, _ELAPSED):
                yield self.finding(
                    op,
                    Severity.MAY if f["alike"] else Severity.NOTE,
                    f"{f['moved']:,} of {count(f['rows'], 'time')} {be(f['moved'])} at another hour of the day"
                    " afterwards: a Timedelta counts"
                    " 24 hours, and the clock was changed in between",
                    "Add days of the calendar: pd.DateOffset(days=...).",
                    {"rows": f["rows"], "moved": f["moved"]},
                )
            elif op.kind == "localize" and not says_so(run.cell, op.span, LEFT_OUT):
                if looks_at_missing(run.cell, None, holders(run.cell, op)) or any(
                    m == "dropna" for _, m, _ in calls(run.cell)
                ):
                    continue
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{f['lost']:,} of {count(f['rows'], 'time')} became missing: they are in the"
                    " hour of a clock change",
                    'Give ambiguous= "infer" or flags, and nonexistent= "shift_forward"; or say that'
                    " they are left out.",
                    {"rows": f["rows"], "lost": f["lost"]},
                )
