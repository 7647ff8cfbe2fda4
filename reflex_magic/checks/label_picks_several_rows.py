"""`label-picks-several-rows`: a row number stands for several rows."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class LabelPicksSeveralRows(Check):
    """``book.loc[0, "eur"]`` takes several rows, because the numbers of the rows begin anew within the table.

    So it is after `concat` without ``ignore_index=True``, also in an earlier cell. Silent where an index has a name or
    texts and a label is meant for many rows, where repeated numbers stand side by side (`explode`, `repeat`), and
    where this cell puts the tables together itself, which is another finding.

    Example
    -------
    ::

        import pandas as pd
        book = pd.DataFrame({"eur": [5.0, 6.0, 7.0, 8.0]}, index=[0, 1, 0, 1])
        %%reflect
        first = book.loc[0, "eur"]
        %%clean
        first = book.reset_index(drop=True).loc[0, "eur"]
    """

    name = "label-picks-several-rows"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        if any(op.kind == "concat" and op.facts["repeated"] for op in run.operations):
            return
        for op in run.operations:
            if op.kind == "pick_label":
                picked, rows, repeated = (op.facts[k] for k in ("picked", "rows", "repeated"))
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{count(picked, 'row')} have the label picked: {repeated:,} of {count(rows, 'label')} repeat",
                    "Number the rows anew (reset_index(drop=True)), or pick by position with iloc.",
                    {"rows": rows, "picked": picked, "repeated": repeated},
                )
