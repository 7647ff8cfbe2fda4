"""`lookup-by-row-number`: values are looked up by row numbers instead of by a key."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import call, variable
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class LookupByRowNumber(Check):
    """``series.map(other["name"])`` looks up in a table whose rows have no labels but 0, 1, 2, ...

    Reported when values are not found and the table has a column of the same name as what is
    looked up, or when none is found. Silent when all values are row numbers of the table.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"item": [1, 2, 3], "units": [1, 2, 4]})
        items = pd.DataFrame({"item": [1, 2, 3], "price": [5.0, 7.0, 9.0]})
        %%reflect
        sales["price"] = sales["item"].map(items["price"])
        %%clean
        sales["price"] = sales["item"].map(items.set_index("item")["price"])
    """

    name = "lookup-by-row-number"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("lookup"):
            if not op.facts["by_row"] or not op.facts["unmatched"]:
                continue
            node = call(run.cell, op)
            table = variable(node.args[0]) if node is not None and node.args else None
            cards = [c for card in run.cards if card.step == op.step for c in card.before if c.name == table]
            has_key = any(column.name == op.facts["name"] for card in cards for column in card.columns)
            if not has_key and op.facts["unmatched"] < op.facts["values"]:
                continue
            unmatched, values = op.facts["unmatched"], op.facts["values"]
            key = op.facts["name"] if has_key else "key"
            shown = ast.unparse(node.args[0]) if node is not None and node.args else "the table"
            yield self.finding(
                op,
                Severity.MAY,
                f"`{shown}` has no labels but row numbers, and values were looked up by them:"
                f" {unmatched:,} of {count(values, 'value')} found none",
                f'Give the table its key first: .set_index("{key}").',
                {"values": values, "unmatched": unmatched, "rows": op.facts["table_rows"]},
            )
