"""`part-of-period-compared`: a last month that has only begun is compared with full ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import asked_of, said
from reflex_magic.checks.syntax import AGGREGATES, mentions, target
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_ADDING = frozenset({"sum", "count", "size", "nunique"})
_LOWEST = frozenset({"min", "idxmin", "argmin", "nsmallest"})
_CHANGE = frozenset({"pct_change", "diff"})
_SO_FAR = re.compile(
    r"so far|partial\w*|incomplete|unfinished|not (yet )?(complete|full|over)|to date|\b[mqy]td\b"
    r"|current (month|quarter|year)"
    r"|(full|complete|whole) (months?|quarters?|years?)|drop\w* the last|last \w+ (is|was) ",
    re.IGNORECASE,
)


class PartOfPeriodCompared(Check):
    """Totals by month, quarter or year are compared, and the data end early in the last one.

    Found where the last period has data for less than 60 % of it, all before the last have data to their ends, and
    the totals are searched for the lowest, or the change to the last one is taken (`pct_change` or `diff`, then the
    last row). A note where all changes, or the mean of the totals, are taken.

    Silent on means within the periods, where the cell leaves the last row out or chooses rows by date, and where a
    comment or the goal says that the last period is not complete.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.Series(10, index=pd.date_range("2024-01-01", "2024-06-09"))
        %%reflect
        worst = sales.resample("ME").sum().idxmin()
        %%clean
        worst = sales.resample("ME").sum().iloc[:-1].idxmin()
    """

    name = "part-of-period-compared"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        found = list(run.of("periods"))
        if not found or _SO_FAR.search(said(run)) or _leaves_last_out(run.cell.tree):
            return
        for op in found:
            severity = _compared(run, op)
            if severity is None:
                continue
            f = op.facts
            yield self.finding(
                op,
                severity,
                f"the last {f['unit']} has data for {f['last']:.0%} of it only, and is compared with"
                f" {count(f['full'], 'full ' + f['unit'])}",
                f"Leave the last {f['unit']} out, or compare the same days.",
                {"full": f["full"], "last": f["last"]},
            )


def _compared(run: Run, op: Operation) -> Severity | None:
    """How much the comparison weighs; None for none."""
    cell = run.cell
    asked: dict[str, ast.Call] = {method: node for node, method in asked_of(cell, op)}
    grouped = {o.span for o in run.operations if o.kind == "groupby"}
    into = target(cell, op.span)
    totals = set(into.names)
    for span in grouped if into.columns else ():
        totals |= target(cell, span).names if span.line >= op.span.line else frozenset()
    later = {
        n.func.attr: n
        for n in cell.nodes
        if isinstance(n, ast.Call)
        and isinstance(n.func, ast.Attribute)
        and not mentions(n.func.value).isdisjoint(totals)
    }
    asked |= later
    adds = not _ADDING.isdisjoint(asked) or any(
        m in AGGREGATES and not _ADDING.isdisjoint(mentions(n)) for m, n in asked.items()
    )
    if not adds:
        return None
    if not _LOWEST.isdisjoint(asked) or (not _CHANGE.isdisjoint(asked) and _takes_last(cell.tree)):
        return Severity.MAY
    return Severity.NOTE if not _CHANGE.isdisjoint(asked) or "mean" in asked else None


def _takes_last(tree: ast.AST) -> bool:
    """Whether the last row of something is taken."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(
                value=ast.Attribute(attr="iloc" | "iat"), slice=ast.UnaryOp(operand=ast.Constant(value=1))
            ):
                return True
            case ast.Call(func=ast.Attribute(attr="tail"), args=[ast.Constant(value=1)]):
                return True
    return False


def _leaves_last_out(tree: ast.AST) -> bool:
    """Whether rows are chosen by a slice that ends before the last."""
    return any(isinstance(n, ast.Slice) and isinstance(n.upper, ast.UnaryOp) for n in ast.walk(tree))
