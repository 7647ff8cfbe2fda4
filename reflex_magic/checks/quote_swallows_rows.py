"""`quote-swallows-rows`: a quote that was left open made several records into one value."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class QuoteSwallowsRows(Check):
    r"""A stray quote (inches, an apostrophe) opens a value that ends at the next one, some records further down.

    Told from the frame and the file: a value has line breaks, and its lines have as many separators as records have.
    Reported when the rows are then counted, grouped, added up or written; a note otherwise. In long tables a sample
    is looked at. Silent for texts of several lines.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO('part,kg\n"2 in valve,1.5\nhose,0.5\nelbow 3 in",0.75\ncap,0.1\n')
        %%reflect
        parts = pd.read_csv(file)
        kg = parts["kg"].sum()
        %%clean
        parts = pd.read_csv(file, quoting=3)
        kg = parts["kg"].sum()
    """

    name = "quote-swallows-rows"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (lost := op.facts["swallowed"]):
                continue
            columns = op.facts["names"]
            matters = uses(run.cell, op, columns).counts()
            yield self.finding(
                op,
                Severity.MAY if matters else Severity.NOTE,
                f"{count(lost, 'line')} of the file {'is' if lost == 1 else 'are'} inside a value and not"
                f" {'a row' if lost == 1 else 'rows'}: a quote was left open ({count(op.facts['rows'], 'row')} read)",
                "Read quotes as any other character: quoting=csv.QUOTE_NONE (3).",
                {"rows": op.facts["rows"], "swallowed": lost},
            )
