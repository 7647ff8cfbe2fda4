"""`rows-do-not-line-up`: a series is assigned to a table whose row labels it does not have."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class RowsDoNotLineUp(Check):
    """A series becomes a column, but its labels are not those of the rows, so that values go missing.

    pandas lines up by label, not by position. Reported when no row has a label of the series, and
    when the series is labelled by one of the table's columns (a result by group put beside the
    rows) and not every row finds a label. Silent when all rows find a value, when only some labels
    differ, and for empty data.

    Example
    -------
    ::

        import pandas as pd
        lines = pd.DataFrame({"order": [101, 101, 102], "price": [30.0, 10.0, 5.0]})
        %%reflect
        lines["order_total"] = lines.groupby("order")["price"].sum()
        %%clean
        lines["order_total"] = lines.groupby("order")["price"].transform("sum")
    """

    name = "rows-do-not-line-up"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind != "assign" or not op.facts["rows"] or not op.facts["value_rows"]:
                continue
            matched, rows = op.facts["matched"], op.facts["rows"]
            if not matched or (op.facts["named_column"] and matched < rows):
                yield self._finding(op, rows - matched, rows)

    def _finding(self, op: Operation, missing: int, rows: int) -> Finding:
        index, column = op.facts["index"], op.facts["column"]
        labels = f"is labelled by `{index}`" if index else "has other labels"
        return Finding(
            self.code,
            Severity.MAY,
            op.span,
            op.expression,
            f"{missing:,} of {count(rows, 'row')} get no value in `{column}`: the assigned series {labels}, and pandas"
            " lines up by label",
            "Keep one value a row (transform), or look the values up by their label (map).",
            {k: op.facts[k] for k in ("rows", "value_rows", "matched", "index", "column")},
        )
