"""`timed-out`: a step ran longer than allowed."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run, TimedOut


class RanTooLong(Check):
    """A step ran longer than the limit of the cell (``--timeout``).

    Silent without a limit.

    Example
    -------
    ::

        rows = [3, 2, 1, 0]
        %%reflect --timeout 0.3
        n = 0
        while rows[n]:
            pass
        %%clean
        n = 0
        while rows[n]:
            n += 1
    """

    name = "timed-out"
    frames = ()
    of_failure = True

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        if not isinstance(run.outcome, TimedOut):
            return
        steps = run.cell.steps
        step = steps[run.outcome.step] if run.outcome.step < len(steps) else None
        yield Finding(
            self.code,
            Severity.MUST,
            step.span if step else None,
            step.source.split("\n")[0] if step else "",
            f"step {run.outcome.step + 1} ran longer than {run.outcome.seconds:g} s",
            "Raise the limit with --timeout, or try the step on fewer rows.",
            {"seconds": run.outcome.seconds},
        )
