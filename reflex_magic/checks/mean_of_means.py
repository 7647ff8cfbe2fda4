"""`mean-of-means`: the means of groups are averaged where the mean of all is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.purpose import said
from reflex_magic.checks.syntax import calls, follows
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_WHOLE = re.compile(
    r"\b(overall|altogether|grand mean|of all|all \w+ together|across all|in total|weighted|per (order|row|sale))\b",
    re.I,
)
_EACH = re.compile(
    r"\b(unweighted|same weight|equal\w* weight\w*|(mean|average) of (the |these )?(\w+ )?(means|averages)|macro)\b",
    re.I,
)


class MeanOfMeans(Check):
    """``df.groupby("shop")["eur"].mean().mean()`` gives each shop the same weight, however many rows it has.

    Found where the goal or a comment asks for the whole (overall, of all) and the mean of all rows differs by more
    than one part in a hundred; a note without such words. Silent where both agree and where words speak of the mean
    of means.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["n", "n", "n", "s"], "eur": [1.0, 1.0, 1.0, 9.0]})
        %%reflect
        # overall mean
        mean = sales.groupby("shop")["eur"].mean().mean()
        %%clean
        # overall mean
        mean = sales["eur"].mean()
    """

    name = "mean-of-means"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("average"):
            off = op.facts.get("means", 0.0)
            if off <= 0.01 or not _is_averaged_again(run, op) or _EACH.search(text := said(run)):
                continue
            yield self.finding(
                op,
                Severity.MAY if _WHOLE.search(text) else Severity.NOTE,
                f"the mean of the means of groups is {off:.0%} off the mean of all {op.facts['rows']:,} rows",
                f'Take the mean of all rows: df["{op.facts["column"]}"].mean().',
                {"rows": op.facts["rows"], "difference": off},
            )


def _is_averaged_again(run: Run, op: Operation) -> bool:
    inner = run.cell.node_at(op.span)
    return any(
        method == "mean" and node is not inner and follows(run.cell, op, on) for node, method, on in calls(run.cell)
    )
