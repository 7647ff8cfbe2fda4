"""`minutes-for-months`: a format has minutes where a month belongs, or a month where minutes belong."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class MinutesForMonths(Check):
    """``%M`` is minutes and ``%m`` is the month; a format has one where the other belongs.

    Found where a format such as ``%Y-%M-%d`` has a year, minutes and neither a month nor an hour, and the dates show
    it: all that were read are in January, with minutes; or dates of several months, without minutes, are written so.
    And where ``%H:%m`` has the month behind the hour.

    Silent on every other format, and where the dates do not show it.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"day": ["2024-05-02", "2024-06-11"]})
        %%reflect
        day = pd.to_datetime(sales["day"], format="%Y-%M-%d")
        %%clean
        day = pd.to_datetime(sales["day"], format="%Y-%m-%d")
    """

    name = "minutes-for-months"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind not in ("parse_dates", "calendar_part"):
                continue
            f = op.facts
            if f.get("minutes"):
                message = f"the format reads minutes (`%M`) and no month in {count(f['looked'], 'date')}"
                advice = "Write `%m` for the month."
            elif f.get("months"):
                message = f"the format has the month (`%m`) behind the hour in {count(f['looked'], 'time')}"
                advice = "Write `%M` for the minutes."
            else:
                continue
            yield self.finding(op, Severity.MUST, message, advice, {"looked": f["looked"]})
