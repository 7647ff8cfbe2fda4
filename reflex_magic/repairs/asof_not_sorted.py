"""`merge_asof` on rows that are not in order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class AsofNotSorted(Repair):
    """`merge_asof` needs both sides in the order of the key.

    Each side that is not is sorted by it first; the result is in that order.

    Example
    -------
    ::

        import pandas as pd
        trades = pd.DataFrame({"time": [5, 1], "qty": [1, 2]})
        quotes = pd.DataFrame({"time": [0, 4], "bid": [5.0, 6.0]})
        %%reflect
        priced = pd.merge_asof(trades, quotes, on="time")
        %%repaired
        priced = pd.merge_asof(trades.sort_values("time"), quotes, on="time")
    """

    name = "asof-not-sorted"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """Both sides in order."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or "keys must be sorted" not in failure.evalue or not isinstance(node, ast.Call):
            return
        edits, moved = [], []
        for naming in columns.merge_namings(context, node):
            if len(naming.labels) != 1 or naming.holder is None:
                continue
            key = f"({naming.frame})[{naming.labels[0].value!r}]"
            if context.values.sample(f"{key}.is_monotonic_increasing") == (False,):
                label = syntax.text(context.cell, naming.labels[0])
                edits.append(syntax.insert_after(context.cell, naming.holder, f".sort_values({label})"))
                moved.append(f"`{naming.frame}`")
        if edits:
            yield self.offer("sorted by the key first", edits, f"{' and '.join(moved)} is not in the order of the key")
