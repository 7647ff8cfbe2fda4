"""`looked-up-in-the-index`: ``value in series`` looks at the labels."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class LookedUpInTheIndex(Check):
    """``value in series`` looks at the labels of the rows, and says something else than the values.

    Silent when labels and values give the same answer, and when the labels are no row numbers: a series of counts by
    name is asked for a name.

    Example
    -------
    ::

        import pandas as pd
        members = pd.Series(["uma", "vic"])
        %%reflect
        known = "uma" in members
        %%clean
        known = "uma" in members.values
    """

    name = "looked-up-in-the-index"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            f = op.facts
            if op.kind == "contained" and f["numbered"] and f["said"] != f["held"]:
                does = "is" if f["held"] else "is not"
                message = (
                    f"`in` looks at the row numbers: the value {does} in the series, and the answer is the opposite"
                )
                told = {name: f[name] for name in ("said", "held")}
                yield self.finding(op, Severity.MAY, message, "Ask `value in series.values`.", told)
