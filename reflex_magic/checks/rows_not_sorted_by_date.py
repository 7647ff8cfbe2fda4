"""`rows-not-sorted-by-date`: the row before is taken for the time before, and the rows are in another order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import said
from reflex_magic.checks.syntax import mentions
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_AS_IS = re.compile(
    r"\b(as (recorded|listed|entered)|in the order|row order|arrival|unsorted|unordered|newest first|on purpose)\b",
    re.I,
)
_OVER_TIME = re.compile(
    r"\b(day|date|daily|week\w*|month\w*|quarter\w*|year\w*|previous|preceding|last|change|growth|running|cumulative"
    r"|to date|over time|so far|moving|rolling|since|trend|gap)\b",
    re.I,
)
_SIGNED = frozenset({"diff", "pct_change"})


class RowsNotSortedByDate(Check):
    """`diff`, `shift`, `cumsum`, `rolling` and their like go through rows that are not in the order of their dates.

    Found where rows are earlier than the row before them and the cell reads the date column, or its goal or
    comments speak of change or time; else a note. Also for plain `diff` and `pct_change` where the latest row comes
    first: the change has the wrong sign.

    Silent where any date column is in order, where the dates start anew in each group of rows (that is another
    finding), and where a comment says that the order of the rows is meant.

    Example
    -------
    ::

        import pandas as pd
        tank = pd.DataFrame({"day": pd.to_datetime(["2024-01-02", "2024-01-01", "2024-01-04", "2024-01-03"])})
        tank["litres"] = [90, 100, 70, 80]
        %%reflect
        tank["used"] = -tank["litres"].diff()  # from day to day
        %%clean
        tank = tank.sort_values("day")
        tank["used"] = -tank["litres"].diff()  # from day to day
    """

    name = "rows-not-sorted-by-date"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("row_order"):
            if not op.facts["back"] or says_so(run.cell, op.span, _AS_IS):
                continue
            f = op.facts
            if any(group["layout"] for group in f["groups"].values()) or f["of"] != "number":
                continue
            if f["late"] and (f["method"] not in _SIGNED or not f["plain"] or _is_turned(run)):
                continue
            matters = f["order"] in mentions(run.cell.tree) or _OVER_TIME.search(said(run))
            rows = count(f["looked"], "row") + (" looked at" if f["looked"] < f["rows"] else "")
            yield self.finding(
                op,
                Severity.MAY if matters else Severity.NOTE,
                f"the rows begin with the latest `{f['order']}`, and `{f['method']}` takes the later from the earlier"
                if f["late"]
                else f"{f['back']:,} of {rows} are earlier by `{f['order']}` than the row before, when"
                f" `{f['method']}` goes through them",
                f'Sort first: df.sort_values("{f["order"]}").',
                {"rows": f["rows"], "looked": f["looked"], "back": f["back"]},
            )


def _is_turned(run: Run) -> bool:
    """Whether the cell turns an order or a sign round anywhere: ``[::-1]``, ``-df["x"].diff()``."""
    for node in run.cell.nodes:
        match node:
            case ast.Slice(step=ast.UnaryOp(op=ast.USub())) | ast.UnaryOp(op=ast.USub(), operand=ast.Call()):
                return True
    return False
