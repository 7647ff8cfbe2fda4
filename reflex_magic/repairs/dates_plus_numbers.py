"""A column of numbers is added to dates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_UNITS = {
    "D": r"\bdays?\b",
    "h": r"\b(hours?|hrs?|h)\b",
    "min": r"\b(minutes?|mins?)\b",
    "s": r"\b(seconds?|secs?|s)\b",
    "W": r"\b(weeks?|wks?)\b",
    "": r"\b(months?|years?|yrs?|quarters?|ms|milliseconds?)\b",
}
"""Units and the words for them; "" for what is no fixed time, or is not told apart from another unit."""

_IN = r"(?:\bin|\bof|\bnumber of|\bso many|\b\d+)\W+"
"""What stands before a unit that tells how something is counted."""


class DatesPlusNumbers(Repair):
    """Numbers are added to or taken from dates, without a unit.

    The numbers become durations. The unit is clear when the column's name says one of days, hours, minutes,
    seconds, weeks, or the goal counts in one of them ("in days") and speaks of no other; otherwise days are
    offered. Silent on months and years, which differ in length.

    Example
    -------
    ::

        import pandas as pd
        bills = pd.DataFrame({"invoiced": pd.to_datetime(["2024-01-10", "2024-02-01"]), "term_days": [30, 14]})
        %%reflect
        due = bills["invoiced"] + bills["term_days"]
        %%repaired
        due = bills["invoiced"] + pd.to_timedelta(bills["term_days"], unit="D")
    """

    name = "dates-plus-numbers"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The numbers as durations."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError") or not isinstance(node, ast.BinOp):
            return
        if not isinstance(node.op, (ast.Add, ast.Sub)):
            return
        kinds = [self._kind(context, side) for side in (node.left, node.right)]
        if kinds == ["date", "number"]:
            number = node.right
        elif kinds == ["number", "date"] and isinstance(node.op, ast.Add):
            number = node.left
        else:
            return
        name = ast.unparse(number).replace("_", " ")
        named = [u for u, words in _UNITS.items() if re.search(words, name, re.I)]
        said = [u for u, words in _UNITS.items() if re.search(words, context.goal, re.I)]
        counted = [u for u in said if re.search(_IN + _UNITS[u], context.goal, re.I)]
        # "in days" says how a term is counted; "the day on which it ends" does not
        told = named or (counted if len(said) == 1 else [])
        if "" in told:
            return
        unit = told[0] if len(told) == 1 else "D"
        pandas, imports = syntax.import_edits(context.cell, context, "pandas")
        source = syntax.text(context.cell, number)
        edit = syntax.replace(context.cell, number, f'{pandas}.to_timedelta({source}, unit="{unit}")')
        evidence = f"`{ast.unparse(number)}` holds numbers, the other side dates"
        yield self.offer(f"the numbers as durations ({unit})", [*imports, edit], evidence, sure=len(told) == 1)

    def _kind(self, context: Context, node: ast.expr) -> str:
        card = context.values.card(ast.unparse(node))
        if card is None or not (card.is_series or card.type == "DatetimeIndex"):
            return ""
        dtype = card.columns[0].dtype.lower()
        return (
            "date" if dtype.startswith("datetime64") else "number" if dtype.startswith(("int", "float", "uint")) else ""
        )
