"""A slice of dates on an index that is not in order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class IndexNotSorted(Repair):
    """A slice by label needs an index in order: ``sales.loc["2024-03-02":"2024-03-05"]``.

    Sorts by the index first. The rows of the slice then come in order.

    Example
    -------
    ::

        import pandas as pd
        days = pd.to_datetime(["2024-03-06", "2024-03-01", "2024-03-03"])
        sales = pd.Series([5, 9, 2], index=days)
        %%reflect
        window = sales.loc["2024-03-02":"2024-03-05"]
        %%repaired
        window = sales.sort_index().loc["2024-03-02":"2024-03-05"]
    """

    name = "index-not-sorted"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same slice of the sorted data."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("KeyError", "UnsortedIndexError"):
            return
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            return
        rows = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
        if not isinstance(rows, ast.Slice) or not ("non-monotonic" in failure.evalue or "lexsort" in failure.evalue):
            return
        by_label = isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        holder = node.value.value if isinstance(node.value, ast.Attribute) and by_label else node.value
        (in_order,) = context.values.sample(f"({ast.unparse(holder)}).index.is_monotonic_increasing") or (None,)
        if in_order is not False:
            return
        if isinstance(node.value, ast.Attribute) and by_label:
            edit = syntax.insert_before_member(context.cell, node.value, "sort_index().")
        else:
            edit = syntax.insert_after(context.cell, holder, ".sort_index()")
        yield self.offer("sort by the index first", [edit], "the index is not in order")
