"""`assertion-failed`: the cell contradicts its own assertion."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.syntax import statement
from reflex_magic.core.card import cut
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operand, Raised, Run


class AssertionFailed(Check):
    """An assertion of the cell is false; its parts are told with their values.

    The evidence names the parts, not their values. An `AssertionError` that comes from a function
    (``pd.testing.assert_frame_equal``) is reported where the cell called it.

    Example
    -------
    ::

        import pandas as pd
        tickets = pd.DataFrame({"ticket": range(4), "agent": ["mia", None, "leo", "mia"]})
        %%reflect
        per_agent = tickets.groupby("agent")["ticket"].count()
        assert per_agent.sum() == len(tickets)
        %%clean
        per_agent = tickets.groupby("agent", dropna=False)["ticket"].count()
        assert per_agent.sum() == len(tickets)
    """

    name = "assertion-failed"
    frames = ()
    of_failure = True

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        outcome = run.outcome
        if not isinstance(outcome, Raised) or not outcome.is_a("AssertionError"):
            return
        cell, steps = run.cell, run.cell.steps
        span = outcome.span or (steps[outcome.step].span if outcome.step is not None and steps else None)
        failed = statement(cell, span) if span else None
        if not isinstance(failed, ast.Assert):
            said = outcome.evalue.strip().split("\n")[0]
            message = cut(f"an assertion failed{': ' + said if said else ''}")
            yield Finding(self.code, Severity.MUST, span, cell.text(span) if span else "", message)
            return
        where = cell.span(failed.test)
        test = " ".join(cell.text(where).split()) if cell.editable(where) else ast.unparse(failed.test)
        parts = ", ".join(map(_told, outcome.operands))
        message = f"`{test}` is false" + (f": {parts}" if parts else "")
        evidence = {"parts": [o.expression for o in outcome.operands]}
        yield Finding(self.code, Severity.MUST, where, test, message, evidence=evidence)


def _told(part: Operand) -> str:
    """``len(df) is 7``, or ``3 of 10 are False in ok`` for a text that is a sentence of its own."""
    if part.text.endswith((" are False", " are True")) and part.text[0].isdigit():
        return f"{part.text} in {part.expression}"
    return f"{part.expression} is {part.text}"
