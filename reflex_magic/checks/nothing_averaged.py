"""`nothing-averaged`: a sum or mean of no values at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import calls, source, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_LOOKS = frozenset(
    {"isna", "isnull", "notna", "notnull", "any", "all", "is_empty", "is_null", "null_count", "drop_nulls"}
)


class NothingAveraged(Check):
    """``rows.mean()`` where a condition has left no rows, or ``column.sum()`` where each value is missing: NaN, or 0.

    Found for a mean, median or extreme of no rows where the cell made the selection itself and the table had rows,
    and for any of these and `sum` of a column in which all values are missing. The sum of no rows is a note: 0 may
    well be right.

    Silent where the cell looks whether there is anything (`empty`, `len`, `if`, `isna`), where `min_count` is
    written, and in loops.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["n", "s"], "eur": [4.0, 9.0]})
        %%reflect
        mean = sales[sales["shop"] == "west"]["eur"].mean()
        %%clean
        mean = sales[sales["shop"] == "s"]["eur"].mean()
    """

    name = "nothing-averaged"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("nothing"):
            if op.calls > 1 or "min_count" in op.keywords or _is_looked_at(run.cell, op):
                continue
            method, rows = op.facts["method"], op.facts["rows"]
            if not rows and not _had_rows(run, op):
                continue
            if rows and any(o.kind in ("assign", "arithmetic") and not o.facts["matched"] for o in run.operations):
                continue  # rows that do not line up are told by themselves
            gives = "0" if method == "sum" else "a missing value"
            what = f"each of {count(rows, 'value')} is missing" if rows else "no row is left"
            yield self.finding(
                op,
                Severity.NOTE if method == "sum" and not rows else Severity.MAY,
                f"{what}, and `{method}` gives {gives}",
                "Look at the condition, or at how the column was made.",
                {"rows": rows},
            )


def _is_looked_at(cell: Cell, op: Operation) -> bool:
    """Whether the cell tests for emptiness anywhere."""
    if any(isinstance(n, (ast.If, ast.IfExp)) for n in cell.nodes):
        return True
    if any(isinstance(n, ast.Attribute) and n.attr in ("empty", "height", "num_rows") for n in cell.nodes):
        return True
    name = source(cell, op)
    lengths = [n for n in cell.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    if any(
        n.func.id == "len" and n.args and variable(n.args[0]) == name for n in lengths if isinstance(n.func, ast.Name)
    ):
        return True
    return any(method in _LOOKS and variable(on) == name for _, method, on in calls(cell, asserted=True))


def _had_rows(run: Run, op: Operation) -> bool:
    """Whether the cell itself came from rows to none: in this expression, or where it made the variable."""
    name = source(run.cell, op)
    for card in run.cards:
        if card.step > op.step:
            break
        before = {c.name: c.rows for c in card.before}
        if card.step == op.step and before.get(name or ""):
            return True
        made = any(c.name == name and c.rows == 0 for c in card.after)
        if made and card.step < op.step and any(rows for rows in before.values() if rows):
            return True
    return False
