"""`text-method-loses-values`: a ``.str`` method makes missing what is no text."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import LEFT_OUT, looks_at_missing, says_so
from reflex_magic.checks.syntax import calls, mentions, target
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class TextMethodLosesValues(Check):
    """A `.str` method was used on a column of texts and numbers, and the numbers are missing now.

    Silent when the cell tests the result for missing values or fills them, and when a comment says that such values
    are left out.

    Example
    -------
    ::

        import pandas as pd
        bills = pd.DataFrame({"eur": ["1,200", 35, "7,000"]})
        %%reflect
        bills["eur"] = bills["eur"].str.replace(",", "").astype(float)
        %%clean
        bills["eur"] = bills["eur"].astype(str).str.replace(",", "").astype(float)
    """

    name = "text-method-loses-values"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("text"):
            if not op.facts.get("lost") or says_so(run.cell, op.span, LEFT_OUT):
                continue
            f = op.facts
            into = target(run.cell, op.span)
            known = into.names | into.columns | {f["column"]}
            fills = any(
                m in ("fillna", "combine_first", "where", "mask") and known & mentions(c) for c, m, _ in calls(run.cell)
            )
            if fills or looks_at_missing(run.cell, None, known):
                continue
            yield self.finding(
                op,
                Severity.MAY,
                f"{f['lost']:,} of {count(f['rows'], 'value')} of `{f['column']}`"
                f" {'is' if f['lost'] == 1 else 'are'} no text,"
                f" and `.str.{f['method']}` makes {'it' if f['lost'] == 1 else 'them'} missing",
                "Turn them into text first: .astype(str).",
                {"rows": f["rows"], "lost": f["lost"]},
            )
