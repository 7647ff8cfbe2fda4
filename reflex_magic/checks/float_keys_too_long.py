"""`float-keys-too-long`: keys are floats of more digits than a float can hold."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class FloatKeysTooLong(Check):
    """Rows are matched by floats from 2**53 on, where neighbouring whole numbers are the same float.

    A column of long ids becomes floats when one of them is missing; two ids that differ in the last digits are then
    one. Looks at keys of joins, `map` and `isin`. Silent for shorter numbers and for whole number types.

    Example
    -------
    ::

        import pandas as pd
        clicks = pd.DataFrame({"device": [1577134800018226901, None, 1577134800018226905]})
        known = pd.DataFrame({"device": [1577134800018226901.0]})
        %%reflect
        ours = clicks[clicks["device"].isin(known["device"])]
        %%clean
        short = clicks["device"] // 1e9
        ours = clicks[short.isin(known["device"] // 1e9)]
    """

    name = "float-keys-too-long"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind in ("merge", "lookup", "membership") and (beyond := op.facts.get("beyond")):
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{count(beyond, 'key')} among those looked at {'is a float' if beyond == 1 else 'are floats'} of"
                    " 2**53 or more: keys that differ in their last digits are taken for the same",
                    'Keep long ids as text or whole numbers: dtype="str" or "Int64" when they are read.',
                    {"beyond": beyond},
                )
