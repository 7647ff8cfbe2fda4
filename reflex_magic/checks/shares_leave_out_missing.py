"""`shares-leave-out-missing`: shares add up to 1 although rows are in none of them."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import LEFT_OUT, looks_at_missing, says_so
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_MANY = 0.1
"""Share of the rows from which on their absence changes what the shares say."""


class SharesLeaveOutMissing(Check):
    """``value_counts(normalize=True)`` gives shares of the rows that have a value.

    A note when fewer than one row in ten has none. Silent when `dropna` is written, when the cell looks at the missing
    values itself, and when a comment says that they are left out.

    Example
    -------
    ::

        import pandas as pd
        poll = pd.DataFrame({"vote": ["yes", "yes", "no", None, None]})
        %%reflect
        shares = poll["vote"].value_counts(normalize=True)
        %%clean
        shares = poll["vote"].value_counts(normalize=True, dropna=False)
    """

    name = "shares-leave-out-missing"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("shares"):
            f = op.facts
            if not f["missing"] or says_so(run.cell, op.span, LEFT_OUT):
                continue
            if looks_at_missing(run.cell, None, {f["column"]}):
                continue
            yield self.finding(
                op,
                Severity.MAY if f["missing"] >= _MANY * f["rows"] else Severity.NOTE,
                f"{f['missing']:,} of {count(f['rows'], 'row')} {'has' if f['missing'] == 1 else 'have'} no"
                f" `{f['column']}` and"
                f" {'is' if f['missing'] == 1 else 'are'} in none of the shares",
                "Say dropna=False, or in a comment that they are left out.",
                {"rows": f["rows"], "missing": f["missing"]},
            )
