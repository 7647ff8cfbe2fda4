"""`thousands-read-as-decimals`: a mark between digits was taken for the other one, and the numbers are off."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ThousandsReadAsDecimals(Check):
    r"""``1.234`` is read as 1.234 where 1,234 is meant, or ``12,5`` with ``thousands=","`` as 125.

    Told from the text of the file: all numbers of a column have groups of three digits or none, beside a column with
    decimal commas or numbers below a thousand without a mark; or a mark that is said to be for thousands has other
    than three digits behind it. Reported when the column is then used; a note otherwise.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("town;people;km2\nUlm;126.329;118,7\nJena;110.731;114,8\nBonn;330.579;141,1\n")
        %%reflect
        towns = pd.read_csv(file, sep=";")
        people = towns["people"].sum()
        %%clean
        towns = pd.read_csv(file, sep=";", decimal=",", thousands=".")
        people = towns["people"].sum()
    """

    name = "thousands-read-as-decimals"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not op.facts["thousands"]:
                continue
            used = uses(run.cell, op, op.facts["thousands"])
            for column, found in op.facts["thousands"].items():
                if used.of(column, "store", "text", "drop"):
                    continue
                matters = used.of(column, "sum", "order", "arith", "compare", "key", "write")
                yield self.finding(
                    op,
                    Severity.MAY if matters else Severity.NOTE,
                    f"`{column}` has a mark between its digits in {found['misread']:,} of {found['values']:,}"
                    " values looked"
                    " at that was taken for the other one: the numbers are off by powers of ten",
                    'Say what the marks are: decimal="," and thousands=".", or the other way round.',
                    {**found, "column": column},
                )
