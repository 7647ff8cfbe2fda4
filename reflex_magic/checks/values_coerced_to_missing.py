"""`values-coerced-to-missing`: a conversion drops values that were there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, shaped
from reflex_magic.checks.intent import LEFT_OUT, looks_at_missing, says_so
from reflex_magic.checks.syntax import call, calls, mentions, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_FILLS = frozenset({"fillna", "combine_first"})
_MISSING = frozenset({"isna", "isnull", "notna", "notnull"})


class ValuesCoercedToMissing(Check):
    """A conversion with ``errors="coerce"`` makes values missing that were there.

    Markers of a missing value ("", "-", "n/a", "unknown") are not lost values. Lost values without a
    digit ("cancelled" among numbers) are a note only: leaving words out is what `coerce` is for.
    Silent when the cell tests the result for missing values, when it fills the gaps by another
    conversion, and when a comment says that values are dropped.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"salary": ["980", "1,250", "n/a"]})
        %%reflect
        staff["salary"] = pd.to_numeric(staff["salary"], errors="coerce")
        %%clean
        staff["salary"] = pd.to_numeric(staff["salary"].str.replace(",", ""), errors="coerce")
    """

    name = "values-coerced-to-missing"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind != "coerce" or op.facts["sampled"] <= op.facts["markers"]:
                continue
            if _is_handled(run.cell, op) or says_so(run.cell, op.span, LEFT_OUT):
                continue
            yield self._finding(op)

    def _finding(self, op: Operation) -> Finding:
        f = op.facts
        lost, digits = f["lost"] - f["markers"], f["digits"]
        there = f["values"] - f["missing_before"]
        return Finding(
            self.code,
            Severity.MAY if digits else Severity.NOTE,
            op.span,
            op.expression,
            f"{lost:,} of {count(there, 'value')} became missing in `{op.expression}`: {shaped(f['shapes'])}",
            "Clean these shapes before converting, or say in a comment that such values are dropped.",
            {"values": there, "lost": lost, "digits": digits, "shapes": dict(f["shapes"])},
        )


def _is_handled(cell: Cell, op: Operation) -> bool:
    """Whether the cell looks at what became missing, or fills it from another conversion."""
    node, result = call(cell, op), target(cell, op.span)
    into = result.names | result.columns
    if looks_at_missing(cell, None, into):
        return True
    for outer, method, on in calls(cell):
        if method in _MISSING and (on is node or node in outer.args):
            return True
        if method not in _FILLS or not outer.args or isinstance(outer.args[0], (ast.Constant, ast.UnaryOp)):
            continue
        if any(part is node for part in ast.walk(outer)) or not mentions(outer).isdisjoint(
            result.names | result.columns
        ):
            return True
    return False
