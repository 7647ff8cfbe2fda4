"""`warned-of-wrong-numbers`: a warning says that numbers are not what they should be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_WRONG = re.compile(
    r"^RuntimeWarning: (overflow encountered in (?!exp|log|cosh|sinh)|invalid value encountered in cast)"
)
_DOUBTFUL = re.compile(
    r"^RuntimeWarning: (divide by zero|invalid value|Mean of empty slice|All-NaN|Degrees of freedom)"
    r"|^(FutureWarning|Pandas\dWarning|DeprecationWarning): .*(downcast|concatenation with empty|grouping columns)"
    r"|^(ConvergenceWarning|RankWarning|DtypeWarning|PolyfitWarning)"
)


class WarnedOfWrongNumbers(Check):
    """A warning that the cell shows means that numbers are wrong.

    An integer that overflowed, or a missing value that became an integer, is a number like any other afterwards.
    Warnings of divisions by zero, of means of nothing and of changes to come are a note. Silent for
    warnings that are not shown.

    Example
    -------
    ::

        import warnings
        import numpy as np
        prices = np.array([3.0, np.nan])
        %%reflect
        warnings.simplefilter("always")
        cents = prices.astype("int64")
        %%clean
        cents = np.nan_to_num(prices).astype("int64")
    """

    name = "warned-of-wrong-numbers"
    frames = ()

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for card in run.cards:
            for text in dict.fromkeys(card.warnings):
                severity = Severity.MAY if _WRONG.search(text) else Severity.NOTE if _DOUBTFUL.search(text) else None
                if severity is not None:
                    yield Finding(
                        self.code,
                        severity,
                        run.cell.steps[card.step].span if card.step < len(run.cell.steps) else None,
                        card.source,
                        f"this step was warned of: {text}",
                        "Look at the values that it speaks of before the result is used.",
                    )
