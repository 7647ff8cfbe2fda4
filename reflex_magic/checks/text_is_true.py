"""`text-is-true`: every text that is not empty is true, "False" too."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class TextIsTrue(Check):
    """``astype(bool)`` makes True of the texts "False", "no" and "0".

    Silent for texts that do not say that they are false.

    Example
    -------
    ::

        import pandas as pd
        users = pd.DataFrame({"active": ["True", "False", "True"]})
        %%reflect
        n = users["active"].astype(bool).sum()
        %%clean
        n = (users["active"] == "True").sum()
    """

    name = "text-is-true"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("cast"):
            if not op.facts.get("untrue"):
                continue
            f = op.facts
            yield self.finding(
                op,
                Severity.MAY,
                f"{f['untrue']:,} of {count(f['looked'], 'text')} of `{f['column']}`"
                f" {'says' if f['untrue'] == 1 else 'say'}"
                " that it is false, and became True",
                'Compare with the text (== "True"), or map the texts to truth values.',
                {"rows": f["rows"], "looked": f["looked"], "untrue": f["untrue"]},
            )
