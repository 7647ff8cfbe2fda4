"""`strip-eats-letters`: ``strip`` takes characters, and a prefix was meant."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class StripEatsLetters(Check):
    """``lstrip("SKU-")`` removes each of these characters, and more than the prefix is gone.

    Silent when every text lost exactly the prefix or suffix, and when none begins or ends with the whole argument: then
    characters are meant.

    Example
    -------
    ::

        import pandas as pd
        items = pd.DataFrame({"code": ["SKU-1001", "SKU-K77", "SKU-UK-5"]})
        %%reflect
        items["code"] = items["code"].str.lstrip("SKU-")
        %%clean
        items["code"] = items["code"].str.removeprefix("SKU-")
    """

    name = "strip-eats-letters"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("text"):
            if not op.facts.get("eaten"):
                continue
            f = op.facts
            better = "removesuffix" if f["method"] == "rstrip" else "removeprefix"
            yield self.finding(
                op,
                Severity.MAY,
                f"`{f['method']}` removes each of the characters: {f['eaten']:,} of {count(f['looked'], 'text')}"
                " lost more"
                " than the whole argument",
                f"Use .str.{better}(...).",
                {"rows": f["rows"], "looked": f["looked"], "eaten": f["eaten"]},
            )
