"""`infinite-values`: a division by zero goes into a sum, a mean or a largest value."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class InfiniteValues(Check):
    """A column holds infinite values, which a division by zero makes without a warning, and is summed up.

    One of them makes a sum or mean infinite, or missing. Found for `mean`, `sum`, `max`, `std` and their like of a
    column of a table. Silent where infinite values are replaced before.

    Example
    -------
    ::

        import pandas as pd
        ads = pd.DataFrame({"clicks": [5, 3], "views": [100, 0]})
        %%reflect
        ads["rate"] = ads["clicks"] / ads["views"]
        mean = ads["rate"].mean()
        %%clean
        ads["rate"] = ads["clicks"] / ads["views"].where(ads["views"] > 0)
        mean = ads["rate"].mean()
    """

    name = "infinite-values"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("average"):
            infinite = op.facts.get("infinite")
            if not infinite:
                continue
            yield self.finding(
                op,
                Severity.MAY,
                f"{count(infinite, 'value')} of `{op.facts['column']}` {'is' if infinite == 1 else 'are'} infinite, and"
                f" {'goes' if infinite == 1 else 'go'} into `{op.facts['methods'][0]}`",
                "Leave out what would be divided by 0, or replace infinite values by NaN.",
                {"rows": op.facts["rows"], "infinite": infinite},
            )
