"""`columns-share-a-name`: a column is summed up, and there are two of that name."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ColumnsShareAName(Check):
    """``df["eur"].sum()`` of a table with two columns `eur` gives two values, in a series instead of a number.

    So it is after ``concat(axis=1)``, after a file with a repeated header, or after `rename`. Silent where each name
    stands for one column, and where columns with one name are not summed up.

    Example
    -------
    ::

        import pandas as pd
        both = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=["eur", "eur"])
        %%reflect
        total = both["eur"].sum()
        %%clean
        total = both.set_axis(["eur", "eur_before"], axis=1)["eur"].sum()
    """

    name = "columns-share-a-name"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("average"):
            twice = op.facts.get("twice")
            if twice:
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{count(twice, 'column')} are called `{op.facts['column']}`, and"
                    f" `{op.facts['methods'][0]}` gives one value for each",
                    "Give each column a name of its own (set_axis, keys= in concat), or take one of them by position.",
                    {"rows": op.facts["rows"], "columns": twice},
                )
