"""`percent-as-fraction`: a column of percents is used as a fraction, or compared with the other scale."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class PercentAsFraction(Check):
    """``net * (1 + tax_rate)`` where the rate is 19 and not 0.19, or a limit of 50 where all values are below 1.

    Goes by the name of the column (pct, percent, rate, discount) and its values. Silent when the cell divides by 100
    anywhere, and for a product when it divides at all, as for a weighted mean.

    Example
    -------
    ::

        import pandas as pd
        items = pd.DataFrame({"net": [20.0, 100.0, 2.0], "tax_rate": [7.0, 19.0, 7.0]})
        %%reflect
        items["gross"] = items["net"] * (1 + items["tax_rate"])
        %%clean
        items["gross"] = items["net"] * (1 + items["tax_rate"] / 100)
    """

    name = "percent-as-fraction"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        said = set()
        for op in run.of("percent"):
            f = op.facts
            if (f["column"], f["limit"]) in said or _scales(run.cell):
                continue
            if f["limit"] == "percent":
                if f["largest"] != 1:
                    continue
                message = (
                    f"all {count(f['looked'], 'value')} of `{f['column']}` looked at are fractions, and the limit is"
                    " a percent"
                )
            elif f["limit"] == "fraction":
                if f["above"] < f["looked"] or f["largest"] != 100 or f["looked"] < 3:
                    continue
                message = (
                    f"all {count(f['looked'], 'value')} of `{f['column']}` looked at are 1 or more, and the limit is"
                    " a fraction"
                )
            else:
                if f["largest"] != 100 or f["above"] < 0.9 * f["looked"]:
                    continue
                if f["operation"] == "*" and _divides(run.cell):
                    continue
                message = (
                    f"{f['above']:,} of {count(f['looked'], 'value')} of `{f['column']}` are 1 or more: percents,"
                    " used as fractions"
                )
            said.add((f["column"], f["limit"]))
            told = {name: f[name] for name in ("looked", "above", "largest")}
            yield self.finding(op, Severity.MAY, message, "Divide percents by 100 first.", told)


def _scales(cell: Cell) -> bool:
    return any(isinstance(n, ast.Constant) and n.value in (100, 0.01) for n in cell.nodes)


def _divides(cell: Cell) -> bool:
    return any(isinstance(n, (ast.BinOp, ast.AugAssign)) and isinstance(n.op, ast.Div) for n in cell.nodes)
