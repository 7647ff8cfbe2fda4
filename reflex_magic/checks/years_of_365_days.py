"""`years-of-365-days`: whole years or months are counted by days."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import is_in
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_ROUGH = re.compile(
    r"approx\w*|rough\w*|about|estimat\w*|365|30[ -]day|(thirty|30) days|on purpose|convention", re.IGNORECASE
)


class YearsOf365Days(Check):
    """``days // 365`` counts a birthday some days too early, ``days // 30`` a month.

    Found where whole years or months so counted differ from the calendar for pairs of dates that were looked at (at
    most 1,000).

    Silent on ``days / 365``, which is a length and no age, and where a comment says that it is approximate. ``days //
    365.25``, which is wrong on birthdays only, is not looked at.

    Example
    -------
    ::

        import pandas as pd
        people = pd.DataFrame({"born": pd.to_datetime(["1980-06-10", "1991-01-05"])})
        today = pd.Timestamp("2024-06-01")
        %%reflect
        people["age"] = (today - people["born"]).dt.days // 365
        %%clean
        had_birthday = people["born"].dt.strftime("%m%d") <= today.strftime("%m%d")
        people["age"] = today.year - people["born"].dt.year - (~had_birthday).astype(int)
    """

    name = "years-of-365-days"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("elapsed"):
            if says_so(run.cell, op.span, _ROUGH):
                continue
            for days, unit in ((365, "years"), (30, "months")):
                wrong = op.facts[unit]
                if wrong and _divided(run.cell, op, days):
                    yield self.finding(
                        op,
                        Severity.MAY,
                        f"in {wrong:,} of {count(op.facts['looked'], 'row')} the number of whole {unit} by the calendar"
                        f" is another: not all {unit} have {days} days",
                        "Compare the parts of the dates: years, less one before the birthday.",
                        {"looked": op.facts["looked"], "wrong": wrong},
                    )


def _divided(cell: Cell, op: Operation, days: int) -> bool:
    """Whether the difference is divided by so many days without a rest."""
    for node in cell.nodes:
        match node:
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=ast.Constant(value=value)):
                if value == days and is_in(cell, op, left):
                    return True
            case ast.Call(
                func=ast.Name(id="int"), args=[ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=value))]
            ):
                if value == days and is_in(cell, op, left):
                    return True
            case ast.Call(
                func=ast.Attribute(
                    value=ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=value)), attr="astype"
                ),
                args=[ast.Name(id="int") | ast.Constant(value="int" | "int64")],
            ):
                if value == days and is_in(cell, op, left):
                    return True
    return False
