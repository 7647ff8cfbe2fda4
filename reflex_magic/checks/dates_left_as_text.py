"""`dates-left-as-text`: dates that begin with the day or the month were read as text, and go by their letters."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class DatesLeftAsText(Check):
    r"""A column of dates such as 03.11.2024 was read as text, whose order is not that of time.

    `parse_dates` leaves a column so, without a word, when a value is no date in the style of the first. Reported when
    the cell then sorts, compares or takes the first or last of it, and for the values looked at the letters do give
    another order than time, whichever number is the day. A note when dates were asked for and the column is used
    otherwise. Silent for dates that begin with the year, and when the cell converts the column.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("day,eur\n03/05/2024,1\n13/04/2024,2\n")
        %%reflect
        sales = pd.read_csv(file, parse_dates=["day"])
        first = sales["day"].min()
        %%clean
        sales = pd.read_csv(file, parse_dates=["day"], dayfirst=True)
        first = sales["day"].min()
    """

    name = "dates-left-as-text"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not op.facts["dates"]:
                continue
            used = uses(run.cell, op, op.facts["dates"])
            for column, found in op.facts["dates"].items():
                if used.of(column, "convert", "store", "drop", "text"):
                    continue
                matters = found["misplaced"] and used.of(column, "order", "compare")
                if matters or found["asked"]:
                    yield self.finding(
                        op,
                        Severity.MAY if matters else Severity.NOTE,
                        f"`{column}` is text: {count(found['dates'], 'date')} looked at begin with the day or the"
                        " month,"
                        " and their order by letters is not that of time",
                        "Say how the dates are written: dayfirst=True or date_format=, or pd.to_datetime(...,"
                        " format=...).",
                        {**found, "column": column},
                    )
