"""`inverted-numbers`: ``~`` turns 0 and 1 into -1 and -2."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class InvertedNumbers(Check):
    """``~`` gives -1 and -2 on flags that are numbers, or truth values in a column of objects.

    Both count as true. Silent for a column of truth values, and for other numbers, whose bits may be meant.

    Example
    -------
    ::

        import pandas as pd
        users = pd.DataFrame({"active": [1, 0, 1, 1]})
        %%reflect
        idle = (~users["active"]).sum()
        %%clean
        idle = (users["active"] == 0).sum()
    """

    name = "inverted-numbers"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            f = op.facts
            if op.kind == "invert" and f["flags"] and not f["truth"]:
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"`~` on {count(f['rows'], 'flag')} that {'is' if f['rows'] == 1 else 'are'} no truth values by"
                    " type gives"
                    " -1 and -2, not False and True",
                    "Convert first: .astype(bool).",
                    {"rows": f["rows"], "holds": f["holds"]},
                )
