"""`rows-do-not-line-up`: a series is assigned to a table whose row labels it does not have."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class RowsDoNotLineUp(Check):
    """Two tables are put together whose row labels are not the same, so that values go missing.

    pandas lines up by label, not by position. Of a series that becomes a column, it is reported when no row has a label
    of the series, and when the series is labelled by one of the table's columns (a result by group put beside the
    rows) and not every row finds a label. Of two series in arithmetic, when no label of one is in the other, when
    both have as many rows with row numbers that differ (``s[1:] - s[:-1]``), and when repeated labels make more rows.
    Of a table and a series, when no column is called as the series is labelled (``df / df.sum(axis=1)``).

    Silent when all rows find a value, when only some labels differ, and for empty data.

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
            if op.kind == "arithmetic" and (told := _told(op)):
                yield self._of_arithmetic(op, *told)
            if op.kind != "assign" or not op.facts["rows"] or not op.facts["value_rows"]:
                continue
            matched, rows = op.facts["matched"], op.facts["rows"]
            if not matched or (op.facts["named_column"] and matched < rows):
                yield self._finding(op, rows - matched, rows)

    def _of_arithmetic(self, op: Operation, told: str, advice: str) -> Finding:
        evidence = {k: op.facts[k] for k in ("left", "right", "rows", "matched")}
        return self.finding(op, Severity.MAY, told, advice, evidence)

    def _finding(self, op: Operation, missing: int, rows: int) -> Finding:
        index, column = op.facts["index"], op.facts["column"]
        labels = f"is labelled by `{index}`" if index else "has other labels"
        return self.finding(
            op,
            Severity.MAY,
            f"{missing:,} of {count(rows, 'row')} get no value in `{column}`: the assigned series {labels}, and pandas"
            " lines up by label",
            "Keep one value a row (transform), or look the values up by their label (map).",
            {k: op.facts[k] for k in ("rows", "value_rows", "matched", "index", "column")},
        )


def _told(op: Operation) -> tuple[str, str] | None:
    """What is wrong with the labels of two sides, and what to do; None where nothing is."""
    f = op.facts
    left, right, rows, matched = f["left"], f["right"], f["rows"], f["matched"]
    if not left or not right:
        return None
    if f["columns"]:
        if matched:
            return None
        return (
            f"none of {count(left, 'column')} is called as one of {count(right, 'row')} of the series is labelled:"
            " pandas lines a series up with the columns, and every value is missing",
            'Write df.div(series, axis="index") or its like for an operation down the rows.',
        )
    align = (
        "Give both the same labels (reset_index(drop=True), or merge by a key), or use the values of one: .to_numpy()."
    )
    if not matched:
        return f"no label of {count(left, 'row')} is among those of the other {right:,}: every value is missing", align
    if rows > max(left, right) and (matched > min(left, right) or rows > left + right - matched):
        return f"repeated labels make {count(rows, 'row')} of {left:,} and {right:,}", align
    if f["numbered"] and left == right and matched < left:
        alone = left - matched
        return f"of {count(left, 'row')} on both sides {alone:,} have no partner: pandas lines up by label", align
    return None
