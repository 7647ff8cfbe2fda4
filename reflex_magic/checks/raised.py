"""`raised`: a step raised."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell, Span
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Raised, Run

_NOT_A_FAULT = ("AssertionError", "SystemExit", "KeyboardInterrupt", "StdinNotImplementedError")


class ExceptionRaised(Check):
    """A step raised an exception.

    Silent for a failing assertion, which has a finding of its own, and for what a person did: an
    interrupt, `exit()`, a question that could not be asked.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"region": ["north", "south"], "revenue": [1, 2]})
        %%reflect
        total = sales["Revenue"].sum()
        %%clean
        total = sales["revenue"].sum()
    """

    name = "raised"
    frames = ()
    of_failure = True

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        outcome = run.outcome
        if not isinstance(outcome, Raised) or outcome.is_a(*_NOT_A_FAULT):
            return
        span = outcome.span or _step_span(run, outcome)
        expression = _expression(run, span) if outcome.step is not None else ""
        said = cut(f"{outcome.ename}: {outcome.evalue}".strip().removesuffix(":").split("\n")[0])
        where = f" at `{expression}`" if expression else f" in line {span.line}" if span else ""
        if (there := outcome.elsewhere) is not None:
            failed = cut(" ".join(Cell(there.source, 0).text(there.span).split()))
            where += f", in `{there.function}` ({there.cell}, line {there.line}): `{failed}`"
        evidence = {"ename": outcome.ename}
        yield Finding(self.code, Severity.MUST, span, expression, said + where, evidence=evidence)


def _step_span(run: Run, outcome: Raised) -> Span | None:
    """The whole step, where the interpreter did not record the expression."""
    steps = run.cell.steps
    return steps[outcome.step].span if outcome.step is not None and outcome.step < len(steps) else None


def _expression(run: Run, span: Span | None) -> str:
    if span is None or not run.cell.editable(span):
        return ""
    return cut(" ".join(line.strip() for line in run.cell.text(span).splitlines()))
