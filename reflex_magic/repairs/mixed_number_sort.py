"""Numbers and numbers written as text are put in order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 100_000


class MixedNumberSort(Repair):
    """`sort_values` meets numbers of which some are text.

    Sorts by the number when every text is a plain one. The column itself stays as it is.

    Silent when a text is no number.

    Example
    -------
    ::

        import pandas as pd
        shelf = pd.DataFrame({"shelf": pd.Series([3, "12", 1], dtype=object)})
        %%reflect
        ordered = shelf.sort_values("shelf")
        %%repaired
        ordered = shelf.sort_values("shelf", key=pd.to_numeric)
    """

    name = "mixed-number-sort"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same order by number."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError") or not isinstance(node, ast.Call):
            return
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "sort_values" or syntax.keyword(node, "key"):
            return
        by = syntax.keyword(node, "by")
        label = by.value if by else node.args[0] if node.args else None
        holder = ast.unparse(node.func.value)
        card = context.values.card(holder)
        if card is None or (card.is_frame and not (isinstance(label, ast.Constant) and isinstance(label.value, str))):
            return
        column = f"({holder})[{ast.unparse(label)}]" if card.is_frame and label is not None else holder
        values = context.values.sample(column, SAMPLE)
        if not values or len(values) >= SAMPLE or not {type(v) for v in values} <= {str, int, float}:
            return
        if not any(isinstance(v, str) for v in values) or not all(_is_number(v) for v in values):
            return
        pandas, imports = syntax.import_edits(context.cell, context, "pandas")
        edits = [*imports, syntax.add_keyword(context.cell, node, "key", f"{pandas}.to_numeric")]
        yield self.offer(
            "sort by number", edits, f"all {len(values)} distinct values are numbers, some of them as text"
        )


def _is_number(value: object) -> bool:
    try:
        return float(str(value)) == float(str(value))
    except ValueError:
        return False
