"""`column-name-twice`: a file has two columns of one name, and the cell uses the first."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ColumnNameTwice(Check):
    r"""pandas calls the second column of a name ``eur.1``; ``frame["eur"]`` is then the first, whichever was meant.

    Reported when their values differ and the cell adds up, compares, groups or orders the first without a word of the
    second; a note otherwise. Silent when the cell names the second, or picks columns by a pattern.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("shop,eur,eur\nUlm,10,12\nJena,20,24\n")
        %%reflect
        sales = pd.read_csv(file)
        total = sales["eur"].sum()
        %%clean
        sales = pd.read_csv(file)
        total = sales[["eur", "eur.1"]].sum().sum()
    """

    name = "column-name-twice"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (twice := op.facts["twice"]):
                continue
            used = uses(run.cell, op, [found["name"] for found in twice.values()])
            if used.texts & set(twice) or used.whole & {"filter", "columns", "columns =", "set_axis"}:
                continue
            for label, found in twice.items():
                matters = found["differ"] and used.of(found["name"], "sum", "key", "order", "compare", "arith", "join")
                yield self.finding(
                    op,
                    Severity.MAY if matters else Severity.NOTE,
                    f"the file has two columns `{found['name']}`, the second is called `{label}`; their values"
                    " differ in"
                    f" {found['differ']:,} of the rows looked at",
                    "Give the columns names of their own: names=[...], header=0.",
                    {"differ": found["differ"], "rows": op.facts["rows"]},
                )
