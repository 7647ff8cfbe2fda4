"""`search-misses-case`: a search finds nothing, and would without regard to case."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import EXACT, says_so
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class SearchMissesCase(Check):
    """`contains`, `startswith` and their kin find no row, though texts differ only in case or outer blanks.

    Silent when something was found, and when a comment says that case counts.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"line": ["Error: disk", "ok", "Error: net"]})
        %%reflect
        n = log["line"].str.contains("error").sum()
        %%clean
        n = log["line"].str.contains("error", case=False).sum()
    """

    name = "search-misses-case"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("text"):
            if not op.facts.get("cased") or says_so(run.cell, op.span, EXACT):
                continue
            f = op.facts
            yield self.finding(
                op,
                Severity.MAY,
                f"`{f['method']}` finds none of {count(f['rows'], 'row')}, and {f['cased']:,} of"
                f" {count(f['looked'], 'text')} would be found without regard to case and outer blanks",
                "Say case=False, or bring the texts to one case first.",
                {name: f[name] for name in ("rows", "looked", "cased")},
            )
