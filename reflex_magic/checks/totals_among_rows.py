"""`totals-among-rows`: a row that is the total of the others is added up or averaged with them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_LABEL = re.compile(
    r"\s*((grand|sub)[ -]?)?(totals?|sum|all|overall|summe|gesamt|insgesamt|totale|celkem"
    r"|итого|всего|合計|总计|總計|小計)\b.*",
    re.I,
)
_SAID = re.compile(r"\b(sub)?totals? (rows?|lines?)\b|\b(with|including|incl\.?) (the )?totals?\b", re.I)


class TotalsAmongRows(Check):
    """A table has rows labelled as totals whose values are what the other rows add up to, and all are taken together.

    Found for `sum`, `mean`, `max` and their like of a column, where the labelled rows hold exactly what the others
    add up to (or, with totals of the parts and of the whole, twice as much).

    Silent where the cell names such a label (``df[df["region"] != "Total"]``), where the rows are grouped by the
    column that has the label, and where the numbers do not add up.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"region": ["north", "south", "Total"], "eur": [10.0, 5.0, 15.0]})
        %%reflect
        eur = sales["eur"].sum()
        %%clean
        eur = sales.loc[sales["region"] != "Total", "eur"].sum()
    """

    name = "totals-among-rows"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("average"):
            totals = op.facts.get("totals")
            if totals is None or _names_a_total(run.cell) or says_so(run.cell, op.span, _SAID):
                continue
            rows = totals["rows"]
            where = f"by `{totals['column']}`" if totals["column"] else "by their index"
            yield self.finding(
                op,
                Severity.MAY,
                f"{count(rows, 'row')} of {op.facts['rows']:,} {'is' if rows == 1 else 'are'} {where} a total,"
                f" and {totals['share']:.0%} of the sum of `{op.facts['column']}`",
                "Leave the rows with totals out first.",
                {"rows": op.facts["rows"], "totals": rows, "share": totals["share"]},
            )


def _names_a_total(cell: Cell) -> bool:
    """Whether a label such as "Total" stands in the cell, other than as the name of a column that is taken."""
    taken = {id(n.slice) for n in cell.nodes if isinstance(n, ast.Subscript)}
    return any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in taken and _LABEL.fullmatch(n.value)
        for n in cell.nodes
    )
