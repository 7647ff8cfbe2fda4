"""`rows-not-in-order-of-time`: differences or running totals over dates that are not in order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import be, is_in
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_AS_IS = re.compile(
    r"\b(in the order|as recorded|arrival|unsorted|unordered|out of order|negative|on purpose)\b", re.IGNORECASE
)


class RowsNotInOrderOfTime(Check):
    """A step from row to row goes back in time.

    Found where `diff`, `shift`, `cumsum`, `rolling` and their like go through a table whose index is dates that are
    not in order, forwards or backwards; and where a few of the steps of ``times.diff()`` or ``times - times.shift()``
    are negative.

    Silent where all rows are in order or all are in reverse, where at least half of the steps are negative, where the
    cell looks for negative steps or takes `abs`, and where a comment says that the order is meant.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"at": pd.to_datetime(["2024-01-02", "2024-01-01", "2024-01-05", "2024-01-09"])})
        %%reflect
        gap = log["at"].diff()
        %%clean
        gap = log["at"].sort_values().diff()
    """

    name = "rows-not-in-order-of-time"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind not in ("time_order", "steps_back") or says_so(run.cell, op.span, _AS_IS):
                continue
            f = op.facts
            if _looks_at_sign(run.cell, op):
                continue
            if op.kind == "time_order":
                told = (
                    f"{f['back']:,} of {count(f['rows'], 'row')} {be(f['back'])} earlier than the row before, when"
                    f" `{f['method']}` goes through them"
                )
            else:
                told = (
                    f"{f['negative']:,} of {count(f['steps'], 'step')} from row to row {be(f['negative'])} negative:"
                    " the times are not in order"
                )
            advice = "Sort by time first (within each group: group, then take the difference)."
            evidence = {k: v for k, v in f.items() if isinstance(v, int)}
            yield self.finding(op, Severity.MAY, told, advice, evidence)


def _looks_at_sign(cell: Cell, op: Operation) -> bool:
    """Whether the steps are compared, or taken without their sign, or are taken out where another group begins."""
    for node in cell.nodes:
        match node:
            case ast.Compare(ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Call(func=ast.Attribute(attr="shift"))]):
                return True
            case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.GtE()]) if is_in(cell, op, left):
                return True
            case ast.Call(func=ast.Attribute(value=on, attr="abs" | "lt" | "le" | "ge")) if is_in(cell, op, on):
                return True
            case ast.Call(func=ast.Name(id="abs"), args=[on]) if is_in(cell, op, on):
                return True
    return False
