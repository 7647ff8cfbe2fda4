"""`numbers-joined-as-text`: written numbers are put one behind the other instead of added."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, shaped
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.syntax import target, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_SHARE = 0.9
"""Share of the values that must be written numbers."""


_JOINED = re.compile(r"\b(join\w*|concat\w*|together|behind|as text|string)\b", re.IGNORECASE)
_OF_TEXT = frozenset({"str", "zfill", "rjust", "ljust", "startswith", "endswith", "split", "join"})


def _is_text(cell: Cell, op: Operation) -> bool:
    """Whether the cell goes on to use the sum as a text."""
    names = target(cell, op.span).names
    for node in cell.nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in _OF_TEXT or node.lineno <= op.span.end_line:
            continue
        if variable(node.value) in names:
            return True
    return False


_WHAT = {
    "*": "`*` repeats {} instead of multiplying",
    "+": "`+` puts {} before others instead of adding",
    "cumsum": "`cumsum` joins {} instead of adding",
}


class NumbersJoinedAsText(Check):
    """The sum of a text column of written numbers is one long text; `cumsum`, `+` and `*` put texts together as well.

    Silent where the values are not numbers: joining words by `sum` can be meant. Silent as well where all are
    single digits or the cell uses the result as text, and where a comment says that they are joined; for `+`, where all
    are whole numbers without a sign, which may be parts of a code.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"who": ["uma", "vic", "uma"], "hours": ["2", "3.5", "10"]})
        %%reflect
        hours = log.groupby("who")["hours"].sum()
        %%clean
        log["hours"] = log["hours"].astype(float)
        hours = log.groupby("who")["hours"].sum()
    """

    name = "numbers-joined-as-text"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("text_sum"):
            if op.facts["sampled"] < 2:
                continue
            numbers, sampled = op.facts["numbers"], op.facts["sampled"]
            if numbers < _SHARE * sampled or set(op.facts["shapes"]) == {"9"}:
                continue
            if says_so(run.cell, op.span, _JOINED) or _is_text(run.cell, op):
                continue
            if op.facts["operation"] == "+" and all(set(shape) <= {"9"} for shape in op.facts["shapes"]):
                continue
            column = op.facts["column"] or op.expression
            what = _WHAT.get(op.facts["operation"], "its sum joins {} instead of adding")
            yield self.finding(
                op,
                Severity.MAY,
                f"`{column}` is text, and {what.format(count(sampled, 'text'))}: {shaped(op.facts['shapes'])}",
                f"Convert `{column}` to numbers first.",
                {"rows": op.facts["rows"], "sampled": sampled, "numbers": numbers, "shapes": dict(op.facts["shapes"])},
            )
