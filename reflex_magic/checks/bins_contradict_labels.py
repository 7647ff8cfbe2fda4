"""`bins-contradict-labels`: a value on the edge of a bin is in another one than the labels say."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class BinsContradictLabels(Check):
    """``pd.cut(age, [0, 18, 65], labels=["under 18", "18-64"])`` labels 18 as "under 18": the right edge is included.

    Found where values are exactly an inner edge and the labels say that this number begins the upper bin ("18-64",
    "18+"), or, with ``right=False``, that it ends the lower one ("0-18"). Silent where no value is on an edge, and
    where the labels do not tell, or name the number on both sides.

    Example
    -------
    ::

        import pandas as pd
        ages = pd.Series([5, 18, 40])
        %%reflect
        group = pd.cut(ages, [0, 18, 65], labels=["under 18", "18-64"])
        %%clean
        group = pd.cut(ages, [0, 18, 65], labels=["under 18", "18-64"], right=False)
    """

    name = "bins-contradict-labels"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("bin_labels"):
            wrong, values, right = (op.facts[k] for k in ("mislabelled", "values", "right"))
            yield self.finding(
                op,
                Severity.MAY,
                f"{wrong:,} of {count(values, 'value')} {'is' if wrong == 1 else 'are'} an edge of a bin, and"
                f" {'is' if wrong == 1 else 'are'} labelled by the {'lower' if right else 'upper'} one",
                f"Write right={not right}, or move the edges.",
                {"values": values, "mislabelled": wrong},
            )
