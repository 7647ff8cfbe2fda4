"""`fractions-cut-off`: ``astype(int)`` cuts off, and does not round."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import WHOLE, says_so
from reflex_magic.checks.syntax import calls, mentions, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class FractionsCutOff(Check):
    """``astype(int)`` makes 1998 of 19.99 * 100, which is 1998.9999999999998.

    Reported where numbers lie a hair below the next whole one, and where a column is overwritten by its whole part and
    then added up or averaged. Silent for other fractions, and when a comment says that they are cut off.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"eur": [19.99, 4.35, 1.10]})
        %%reflect
        sales["cents"] = (sales["eur"] * 100).astype(int)
        %%clean
        sales["cents"] = (sales["eur"] * 100).round().astype(int)
    """

    name = "fractions-cut-off"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("cast"):
            if not op.facts.get("cut") or says_so(run.cell, op.span, WHOLE):
                continue
            f = op.facts
            if f["slipped"]:
                message = (
                    f"{f['slipped']:,} of {count(f['rows'], 'number')} {'lies' if f['slipped'] == 1 else 'lie'} a"
                    " hair below a"
                    " whole number and became the one before"
                )
            elif _is_overwritten_and_added(run.cell, op):
                message = (
                    f"{f['cut']:,} of {count(f['rows'], 'number')} lost a fraction, and `{f['column']}` is added up"
                )
            else:
                continue
            told = {name: f[name] for name in ("rows", "cut", "slipped")}
            yield self.finding(op, Severity.MAY, message, "Round first: .round().", told)


def _is_overwritten_and_added(cell: Cell, op: Operation) -> bool:
    column = op.facts["column"]
    node = cell.node_at(op.span)
    if column not in target(cell, op.span).columns or not isinstance(node, ast.Call):
        return False
    return any(
        column in mentions(call) and (method in ("sum", "mean") or {"sum", "mean"} & mentions(call))
        for call, method, _ in calls(cell)
        if call.lineno > op.span.end_line
    )
