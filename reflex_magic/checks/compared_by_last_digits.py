"""`compared-by-last-digits`: floats that differ by rounding only are taken for different."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import EXACT, says_so
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ComparedByLastDigits(Check):
    """Computed floats are compared exactly, and some miss the number only beyond the twelfth digit.

    ``0.1 * 3 == 0.3`` is false. Reported as well: a limit such as ``<= 0.3`` on whose wrong side such a number lies,
    and what is left of numbers that should have cancelled out and is compared with 0. Silent when no value is that
    close, and when a comment says that they must be exactly equal.

    Example
    -------
    ::

        import pandas as pd
        probe = pd.DataFrame({"depth": [0.1 * i for i in range(6)], "salt": [30.0, 31.0, 31.5, 33.0, 34.0, 34.5]})
        %%reflect
        at = probe[probe["depth"] == 0.3]
        %%clean
        at = probe[(probe["depth"] - 0.3).abs() < 1e-9]
    """

    name = "compared-by-last-digits"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("compare"):
            f = op.facts
            if f["how"] != "rounding" or says_so(run.cell, op.span, EXACT):
                continue
            one = f["near"] == 1
            yield self.finding(
                op,
                Severity.MAY,
                f"{f['near']:,} of {count(f['looked'], 'number')} {'is' if one else 'are'} equal but for rounding, and"
                f" `{f['op']}` takes {'it' if one else 'them'} for different",
                "Compare with a tolerance: np.isclose(a, b), or round first.",
                {name: f[name] for name in ("rows", "matched", "near", "looked")},
            )
