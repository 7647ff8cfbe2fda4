"""`row-numbers-read-as-column`: the row numbers that were saved with a table are a column of data."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import calls
from reflex_magic.checks.usage import Uses, uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class RowNumbersReadAsColumn(Check):
    r"""`to_csv` writes the index; read again it is the column ``Unnamed: 0``, which numbers the rows.

    Reported when the cell takes all columns as data: duplicates looked for in whole rows (and there are some but for
    the number), sums or means along the row, correlations, all numbers or the bare array. A note otherwise. Silent
    when the cell drops or names the column or sets it as the index.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO(",shop,eur\n0,Ulm,5\n1,Ulm,5\n2,Bonn,7\n")
        %%reflect
        sales = pd.read_csv(file).drop_duplicates()
        total = sales["eur"].sum()
        %%clean
        sales = pd.read_csv(file, index_col=0).drop_duplicates()
        total = sales["eur"].sum()
    """

    name = "row-numbers-read-as-column"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (found := op.facts["numbering"]):
                continue
            used = uses(run.cell, op, ("Unnamed: 0",))
            if any(text.startswith("Unnamed") for text in used.texts) or "columns =" in used.whole:
                continue
            yield self.finding(
                op,
                Severity.MAY if _matters(run, used, found["alike"]) else Severity.NOTE,
                f"the first column, `Unnamed: 0`, numbers the {count(found['rows'], 'row')}: it is an index that"
                " was saved,"
                + (
                    f" and {count(found['alike'], 'row')} differ from others in nothing else"
                    if found["alike"]
                    else " not data"
                ),
                "Read it as the index: index_col=0.",
                dict(found),
            )


def _matters(run: Run, used: Uses, alike: int) -> bool:
    if used.full & {"corr", "cov", "to_numpy", "values", "select_dtypes"}:
        return True
    for node, method, _ in calls(run.cell):
        said = {k.arg for k in node.keywords}
        if method in used.full and method in ("drop_duplicates", "duplicated"):
            if alike and not node.args and "subset" not in said:
                return True
        elif method in used.full and method in ("sum", "mean", "max", "min", "std") and "axis" in said:
            return True
    return False
