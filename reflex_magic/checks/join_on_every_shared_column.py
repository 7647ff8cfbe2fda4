"""`join-on-every-shared-column`: a merge without a key also compares columns that are no key."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class JoinOnEverySharedColumn(Check):
    """Without ``on=`` rows meet only where all columns of the same name are equal.

    Reported when one of these columns identifies the rows of a table on its own, and rows that agree
    in it did not meet because another one differs. Silent when a key is written, when only the columns
    together identify a row (year and region), and when nothing was lost.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"id": [1, 2, 3], "grade": ["a", "b", "b"], "note": ["new", "", ""]})
        pay = pd.DataFrame({"id": [1, 2, 3], "pay": [10.0, 20.0, 30.0], "note": ["", "", ""]})
        %%reflect
        both = staff.merge(pay)
        %%clean
        both = staff.merge(pay, on="id")
    """

    name = "join-on-every-shared-column"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("merge"):
            found = op.facts.get("key_alone")
            if not found or "**" in op.keywords or says_so(run.cell, op.span, LEFT_OUT):
                continue
            key, rows = max(found.items(), key=lambda item: item[1])
            others = [name for name in op.facts["left_keys"] if name != key]
            yield self.finding(
                op,
                Severity.MAY,
                f"{count(rows, 'row')} of {op.facts['left_rows']:,} met no partner although the other table has their"
                f" `{key}`: without on= the merge also compares {listed(others)}",
                f'Write on="{key}".',
                {"left_rows": op.facts["left_rows"], "rows": op.facts["rows"], "unmatched": rows, "keys": list(found)},
            )
