"""`dates-read-swapped`: days and months were taken for each other while a file was read."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class DatesReadSwapped(Check):
    r"""`parse_dates` reads 05/02/2024 as the second of May where the file means the fifth of February.

    Told from the text of the file, near its beginning: some dates can only be read one way (31/12/2024), and others
    of the column were read the other way; or all can be read both ways, are not in order as they were read, and are
    in order with day and month exchanged (five different dates at least). Reported when the cell then does something
    with the column; a note otherwise.

    Example
    -------
    ::

        import io
        import pandas as pd
        days = ["01/02/2024", "05/02/2024", "11/02/2024", "02/03/2024", "09/03/2024"]
        file = io.StringIO("day,eur\n" + "".join(f"{day},1\n" for day in days))
        %%reflect
        sales = pd.read_csv(file, parse_dates=["day"])
        monthly = sales.groupby(sales["day"].dt.month)["eur"].sum()
        %%clean
        sales = pd.read_csv(file, parse_dates=["day"], dayfirst=True)
        monthly = sales.groupby(sales["day"].dt.month)["eur"].sum()
    """

    name = "dates-read-swapped"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not op.facts["swapped"]:
                continue
            used = uses(run.cell, op, op.facts["swapped"])
            for column, found in op.facts["swapped"].items():
                matters = used.columns.get(column, set()) - {"drop", "named"}
                yield self.finding(
                    op,
                    Severity.MAY if matters else Severity.NOTE,
                    f"`{column}`: {found['mixed']:,} of {found['values']:,} dates looked at were read with day and"
                    " month"
                    " the other way round than others must be"
                    if found["mixed"]
                    else f"`{column}`: the {found['values']:,} dates looked at are in order with day and month "
                    " exchanged, and are not as they were read",
                    'Say how they are written: dayfirst=True, or date_format="%d/%m/%Y".',
                    {**found, "column": column},
                )
