"""`numbers-joined-as-text`: written numbers are put one behind the other instead of added."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, shaped
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_SHARE = 0.9
"""Share of the values that must be written numbers."""


class NumbersJoinedAsText(Check):
    """The sum of a text column of written numbers is one long text.

    Silent where the values are not numbers: joining words by `sum` can be meant.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"who": ["uma", "vic", "uma"], "hours": ["2", "3.5", "10"]})
        %%reflect
        hours = log.groupby("who")["hours"].sum()
        %%clean
        log["hours"] = log["hours"].astype(float)
        hours = log.groupby("who")["hours"].sum()
    """

    name = "numbers-joined-as-text"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind != "text_sum" or op.facts["sampled"] < 2:
                continue
            numbers, sampled = op.facts["numbers"], op.facts["sampled"]
            if numbers < _SHARE * sampled:
                continue
            column = op.facts["column"] or op.expression
            yield Finding(
                self.code,
                Severity.MAY,
                op.span,
                op.expression,
                f"`{column}` is text, and its sum joins {count(sampled, 'text')} instead of adding:"
                f" {shaped(op.facts['shapes'])}",
                f"Convert `{column}` to numbers before adding.",
                {"rows": op.facts["rows"], "sampled": sampled, "numbers": numbers, "shapes": dict(op.facts["shapes"])},
            )
