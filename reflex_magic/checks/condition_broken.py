"""`condition-broken`: what the cell was expected to fulfil does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ConditionBroken(Check):
    """A condition given with ``--expect`` is false after the cell, or could not be evaluated.

    Silent for the assertions of the cell, which fail by themselves, and after a step that raised.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"order": [1, 2, 2], "eur": [5, 7, 7]})
        %%reflect --expect "len(out) == orders.order.nunique()"
        out = orders.copy()
        %%clean
        out = orders.drop_duplicates()
    """

    name = "condition-broken"
    frames = ()
    of_failure = True

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        if run.failed_step is not None:
            return
        for condition in run.conditions:
            if condition.origin == "assert" or condition.held:
                continue
            parts = ", ".join(f"{o.expression} is {o.text}" for o in condition.operands)
            told = condition.message or parts
            known = condition.held is False
            said = "is false" if known else "could not be evaluated"
            yield Finding(
                self.code,
                Severity.MUST if known else Severity.MAY,
                condition.span,
                condition.source,
                f"`{condition.source}` {said}" + (f": {told}" if told else ""),
                evidence={"origin": condition.origin, "parts": [o.expression for o in condition.operands]},
            )
