"""`mean-of-ratios`: the ratios of single rows are averaged where the ratio of the whole is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.purpose import said
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_WHOLE = re.compile(
    r"\b(overall|altogether|in total|total|combined|pooled|weighted|whole|of all|all \w+ together|across all)\b", re.I
)
_EACH = re.compile(
    r"\b(unweighted|same weight|equal\w* weight\w*|typical|per-\w+|each \w+ counts?"
    r"|(mean|average) of (the |these )?(\w+ )?(rates|ratios|shares|percentages)"
    r"|averages? (the )?(daily|weekly|monthly|\w+ rates?))\b",
    re.IGNORECASE,
)


class MeanOfRatios(Check):
    """The mean of a column that is one column divided by another gives each row the same weight, however large it is.

    Found where the goal or a comment asks for the whole (overall, in total, weighted) and the ratio of the sums differs
    by more than one part in a hundred; a note without such words.

    Silent where a comment says that the rows weigh the same, and where both numbers agree.

    Example
    -------
    ::

        import pandas as pd
        days = pd.DataFrame({"sold": [1, 90], "seats": [2, 100]})
        %%reflect
        # overall share of seats that were sold
        days["rate"] = days["sold"] / days["seats"]
        rate = days["rate"].mean()
        %%clean
        # overall share of seats that were sold
        rate = days["sold"].sum() / days["seats"].sum()
    """

    name = "mean-of-ratios"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("average"):
            ratio = op.facts.get("ratio")
            if ratio is None or ratio["difference"] <= 0.01 or _EACH.search(text := said(run)):
                continue
            over, under = ratio["of"]
            off = f"{ratio['difference']:.0%}"
            yield self.finding(
                op,
                Severity.MAY if _WHOLE.search(text) else Severity.NOTE,
                f"`{op.facts['column']}` is `{over}` / `{under}`, and its mean is {off} off the ratio of the sums",
                f'Divide the sums: df["{over}"].sum() / df["{under}"].sum().',
                {"difference": ratio["difference"], "rows": op.facts["rows"]},
            )
