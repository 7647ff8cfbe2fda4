"""`isin-misses-values`: `isin` does not find what is there, because it is written in another way."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class IsinMissesValues(Check):
    """Rows are not in a list of values from which theirs differ only in type, case or blanks.

    Also reported when the list is a whole frame: then its column names are looked for. Silent for values that the
    list does not have in any spelling, and when a comment says that rows are left out.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"customer": [7, 8, 9], "eur": [1.0, 2.0, 4.0]})
        members = pd.DataFrame({"customer": ["7", "9"]})
        %%reflect
        ours = orders[orders["customer"].isin(members["customer"])]
        %%clean
        ours = orders[orders["customer"].astype(str).isin(members["customer"])]
    """

    name = "isin-misses-values"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("membership"):
            if says_so(run.cell, op.span, LEFT_OUT):
                continue
            f = op.facts
            if f["frame"] and not f["matched"] and f["values"]:
                message = (
                    f"`isin` was given a whole frame and looked for its {count(f['listed'], 'column name')}:"
                    f" none of {count(f['values'], 'value')} is one"
                )
                advice = 'Name the column: .isin(other["key"]).'
            elif f["alike"]:
                one = f["alike"] == 1
                message = (
                    f"{f['alike']:,} of {count(f['values'], 'value')} {'differs' if one else 'differ'} from a listed"
                    f" value only in how {'it is' if one else 'they are'} written, and {'is' if one else 'are'} not met"
                )
                advice = "Bring both to one type and spelling first (.astype(str), .str.strip(), .str.lower())."
            else:
                continue
            told = ("values", "matched", "listed", "alike", "frame")
            yield self.finding(op, Severity.MAY, message, advice, {k: f[k] for k in told})
