"""`columns-shifted`: the records end with a separator, so that each column has the values of the next."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ColumnsShifted(Check):
    r"""Records have one field more than there are names: pandas makes the first field the index.

    Reported when the additional field is empty in all records, so that the last column has no value at all and each
    other one has those of its neighbour; a note where the cell does nothing with the table yet. Silent for tables
    whose records begin with a label that has no name, and when `index_col` is given.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("code,factor,depth\n1,0.2,10,\n2,0.4,30,\n")
        %%reflect
        soil = pd.read_csv(file)
        mean = soil["factor"].mean()
        %%clean
        soil = pd.read_csv(file, index_col=False)
        mean = soil["factor"].mean()
    """

    name = "columns-shifted"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (found := op.facts["shifted"]):
                continue
            used = uses(run.cell, op, op.facts["names"])
            yield self.finding(
                op,
                Severity.MAY if used.columns or used.whole else Severity.NOTE,
                f"each record ends with a separator: the first field became the index, `{found['last']}` has no value,"
                f" and the others of {found['names']:,} columns have the values of the next one",
                "Say that no column is the index: index_col=False.",
                {"rows": op.facts["rows"], "names": found["names"]},
            )
