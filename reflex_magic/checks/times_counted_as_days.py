"""`times-counted-as-days`: a table by day is made of times."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import holders
from reflex_magic.checks.syntax import statement
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_DAYS = re.compile(
    r"(?<![a-z])(daily|per_day|by_day|n_?days|num_days|days?_count|active_days|days|each_day)(?![a-z])", re.IGNORECASE
)
_SAYS = re.compile(
    r"\b(per|each|by|every) day\b|\bdaily\b|\bnumber of (distinct |different |active )?days\b", re.IGNORECASE
)


class TimesCountedAsDays(Check):
    """Rows are grouped or counted by a column that has times of day, and the result is called daily.

    Found where the result has a name such as `daily`, `per_day` or `n_days`, or a comment on the statement says so,
    the key is one column of dates, and days among those looked at (at most 1,000) have several times, so that they
    become several groups.

    Silent where the name and comment do not speak of days, and where each day has one time.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"at": pd.to_datetime(["2024-03-01 09:00", "2024-03-01 18:45"]), "eur": [8, 16]})
        %%reflect
        daily = orders.groupby("at")["eur"].sum()
        %%clean
        daily = orders.groupby(orders["at"].dt.date)["eur"].sum()
    """

    name = "times-counted-as-days"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("stamp_days"):
            if statement(run.cell, op.span) is None:
                continue
            named = any(_DAYS.search(name) for name in holders(run.cell, op))
            if not named and not says_so(run.cell, op.span, _SAYS):
                continue
            f = op.facts
            yield self.finding(
                op,
                Severity.MAY,
                f"`{f['column']}` has {f['stamps']:,} different times on {f['days']:,} days, and each"
                " time counts as a day",
                "Take the day first: `.dt.date`, `.dt.normalize()`, or pd.Grouper(freq='D').",
                {"looked": f["looked"], "stamps": f["stamps"], "days": f["days"]},
            )
