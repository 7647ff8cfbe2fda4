"""Text methods on a column of numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 100_000
_PADS = ("zfill", "rjust", "ljust", "center", "pad", "cat")


class NumbersWithoutTextAccessor(Repair):
    """`.str` is used on a column of whole numbers.

    Converts with ``astype(str)`` first. Where the numbers have different lengths and the cell cuts or compares
    them, leading zeros may be lost, and it is offered only. Silent on decimals and on columns with missing
    values, whose text would read "7.0" and "nan".

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"clinic": [7, 12, 101]})
        %%reflect
        codes = visits["clinic"].str.zfill(3)
        %%repaired
        codes = visits["clinic"].astype(str).str.zfill(3)
    """

    name = "numbers-without-text-accessor"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column as text."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not isinstance(node, ast.Attribute) or not failure.is_a("AttributeError"):
            return
        if node.attr != "str" or "string values" not in failure.evalue:
            return
        card = context.values.card(ast.unparse(node.value))
        if card is None or not card.is_series or not card.columns:
            return
        column = card.columns[0]
        if not column.dtype.lower().startswith(("int", "uint")) or column.missing:
            return
        edits = [syntax.insert_before_member(context.cell, node, "astype(str).")]
        above = syntax.parent(context.cell, node)
        method = above.attr if isinstance(above, ast.Attribute) else ""
        values = context.values.sample(ast.unparse(node.value), SAMPLE) or ()
        even = len({len(str(v)) for v in values}) == 1 and len(values) < SAMPLE
        yield self.offer(
            "the numbers as text first",
            edits,
            f"all {card.rows} values are whole numbers ({column.dtype})",
            sure=even or method in _PADS,
        )
