"""`births-in-the-future`: years of two digits are read as years to come."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import holders
from reflex_magic.checks.syntax import calls, mentions
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_PAST = re.compile(r"birth|born|\bdob\b|_dob|dob_|founded|hired|joined|died|death", re.IGNORECASE)


class BirthsInTheFuture(Check):
    """Years of two digits up to 68 are read as 2000 to 2068, and some of the dates lie in the future.

    Found where the name says that the dates are past (born, dob, hired, joined, founded, died); a note for other
    names, since dates of contracts may well lie ahead. Dates up to the end of next year are not counted.

    Silent on years of four digits, and where the cell subtracts a century itself (`DateOffset`, `where`, `mask`,
    `loc`).

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"born": ["12.03.58", "01.11.84"]})
        %%reflect
        born = pd.to_datetime(staff["born"], format="%d.%m.%y")
        %%clean
        born = pd.to_datetime(staff["born"], format="%d.%m.%y")
        born = born.where(born < "2024-01-01", born - pd.DateOffset(years=100))
    """

    name = "births-in-the-future"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("parse_dates"):
            if not op.facts.get("future"):
                continue
            if any(method in ("DateOffset", "where", "mask") for _, method, _ in calls(run.cell)):
                continue
            node = run.cell.node_at(op.span)
            names = holders(run.cell, op) | (mentions(node) if node is not None else set())
            f = op.facts
            yield self.finding(
                op,
                Severity.MAY if any(_PAST.search(name) for name in names) else Severity.NOTE,
                f"{f['future']:,} of {count(f['short'], 'date')} with a year of two digits were read"
                " as dates after next year",
                "Take a century off those: `dates.where(dates < today, dates - pd.DateOffset(years=100))`.",
                {"dates": f["short"], "future": f["future"]},
            )
