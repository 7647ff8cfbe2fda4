"""`last-day-cut`: a period ends at midnight of its last day, and the rows of that day are left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import be
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_MIDNIGHT = re.compile(r"\b(midnight|exclusive|before|until|as of|cut-?off|up to|on purpose|00:00)\b", re.IGNORECASE)


class LastDayCut(Check):
    """``times <= "2024-03-31"`` ends at midnight, and leaves out the times of that day.

    Found where the bound is a day without a time, and times after its midnight are cut. Also `between`, and a
    comparison in `query`.

    A note only where the day is the first of a month, which is often meant as an end that is not included, and where
    the bound is computed and is not the last day of a month. Silent where the cell compares the same times with the
    same bound by ``>`` as well, so that no row is lost, and where a comment says that midnight is meant.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"at": pd.to_datetime(["2024-03-01 09:00", "2024-03-31 18:45"]), "eur": [8, 16]})
        %%reflect
        march = orders[(orders["at"] >= "2024-03-01") & (orders["at"] <= "2024-03-31")]
        %%clean
        march = orders[(orders["at"] >= "2024-03-01") & (orders["at"] < "2024-04-01")]
    """

    name = "last-day-cut"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("last_day"):
            if says_so(run.cell, op.span, _MIDNIGHT) or _both_sides(run.cell, op):
                continue
            f = op.facts
            sure = f["month_end"] or (f["day"] != 1 and (f["text"] or _is_written(run.cell, op)))
            yield self.finding(
                op,
                Severity.MAY if sure else Severity.NOTE,
                f"{f['cut']:,} of {count(f['rows'], 'time')} {be(f['cut'])} later on the last day, and left"
                " out: a day without a"
                " time is its midnight",
                'Compare with the next day: `< "..."`; or compare days: `.dt.normalize()`.',
                {"rows": f["rows"], "cut": f["cut"]},
            )


def _bound(cell: Cell, op: Operation) -> tuple[str, str] | None:
    """What is compared with what, as source."""
    match cell.node_at(op.span):
        case ast.Compare(left=left, comparators=[bound]):
            return ast.unparse(left), ast.unparse(bound)
        case ast.Call(func=ast.Attribute(value=left, attr="le"), args=[bound]):
            return ast.unparse(left), ast.unparse(bound)
        case ast.Call(func=ast.Attribute(value=left, attr="between"), args=[_, bound, *_]):
            return ast.unparse(left), ast.unparse(bound)
    return None


def _both_sides(cell: Cell, op: Operation) -> bool:
    """Whether what is above the same bound is looked at as well, or the cell asks what was so at that moment."""
    known = _bound(cell, op)
    for node in cell.nodes:
        match node:
            case ast.Compare(ops=[ast.Gt() | ast.GtE()], comparators=[bound]):
                if known is not None and known[1] == ast.unparse(bound):
                    return True
            case ast.UnaryOp(op=ast.Invert()):
                return True
    return False


def _is_written(cell: Cell, op: Operation) -> bool:
    """Whether the day stands in the cell as a text or as numbers."""
    known = _bound(cell, op)
    if known is None:
        return False
    bound = ast.parse(known[1], mode="eval").body
    if isinstance(bound, ast.Name):
        values = [
            n.value for n in cell.nodes
            if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == bound.id for t in n.targets)
        ]  # fmt: skip
        bound = values[-1] if values else bound
    match bound:
        case ast.Constant():
            return True
        case ast.Call(args=args):
            return bool(args) and all(isinstance(a, ast.Constant) for a in args)
    return False
