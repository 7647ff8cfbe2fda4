"""`bad-lines-skipped`: records were left out while reading, and the rest is counted."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class BadLinesSkipped(Check):
    r"""``on_bad_lines="skip"`` leaves out records with too many fields, often those with a separator in a value.

    Told from the text of the file; in a long file a sample is looked at. Reported when the rows are then counted,
    grouped, added up or written and at least one in a hundred is missing; a note otherwise. Silent when none was
    skipped and when a comment says that they are left out.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("shop,eur\nUlm,10\nJena, North,20\nBonn,5\n")
        %%reflect
        sales = pd.read_csv(file, on_bad_lines="skip")
        total = sales["eur"].sum()
        %%clean
        # records with a comma in the name are left out on purpose
        sales = pd.read_csv(file, on_bad_lines="skip")
        total = sales["eur"].sum()
    """

    name = "bad-lines-skipped"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (lost := op.facts["skipped"]) or says_so(run.cell, op.span, LEFT_OUT):
                continue
            of = op.facts["skipped_of"]
            matters = 100 * lost >= of and uses(run.cell, op, op.facts["names"]).counts()
            yield self.finding(
                op,
                Severity.MAY if matters else Severity.NOTE,
                f"{lost:,} of {of:,} records looked at had too many fields and {'was' if lost == 1 else 'were'}"
                " left out",
                "Look at them, and quote or join what belongs together: on_bad_lines= takes a function.",
                {"skipped": lost, "of": of, "rows": op.facts["rows"]},
            )
