"""A method of `str` or `dt` is called on the column itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import members, syntax
from reflex_magic.repairs.rule import Repair


class AccessorMissing(Repair):
    """``names.lower()`` on a column of text needs `str` before it, and ``days.year`` on one of dates needs `dt`.

    Silent when the column is of another type.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"name": ["Ada", "Bo"]})
        %%reflect
        names = visits["name"].lower()
        %%repaired
        names = visits["name"].str.lower()
    """

    name = "accessor-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The member of the accessor."""
        node = members.missing(context)
        if node is None:
            return
        column = ast.unparse(node.value)
        card = context.values.card(column)
        if card is None or not card.is_series:
            return
        dtype = card.columns[0].dtype
        if node.attr in members.OF_DATES and re.match(r"datetime64|timedelta64|period", dtype):
            accessor = "dt"
        elif node.attr in members.OF_TEXT and self._is_text(context, column, dtype):
            accessor = "str"
        else:
            return
        edits = [syntax.insert_before_member(context.cell, node, f"{accessor}.")]
        yield self.offer(f"`{accessor}.{node.attr}` of each value", edits, f"the column is {dtype}")

    def _is_text(self, context: Context, column: str, dtype: str) -> bool:
        if dtype.startswith("str"):
            return True
        values = context.values.sample(column, 100_000) if dtype == "object" else None
        return bool(values) and all(isinstance(v, str) for v in values or ())
