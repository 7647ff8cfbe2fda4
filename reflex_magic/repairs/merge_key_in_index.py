"""A merge on a key that one side has as its index, without a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair

SHARE = 0.8
"""So much of the keys must be found in the index, or the other way round."""


class MergeKeyInIndex(Repair):
    """One side of a merge lacks the key column, and has its values in the index.

    Merged with that side's index. Silent where the index counts rows, and where a column has the values as well.

    Example
    -------
    ::

        import pandas as pd
        people = pd.DataFrame({"people": [5, 8]}, index=["Lugo", "Vigo"])
        areas = pd.DataFrame({"town": ["Lugo", "Vigo"], "km2": [2.0, 4.0]})
        %%reflect
        both = areas.merge(people, on="town")
        %%repaired
        both = areas.merge(people, left_on="town", right_index=True)
    """

    name = "merge-key-in-index"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The merge with the index."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("KeyError") or not isinstance(node, ast.Call):
            return
        on = syntax.keyword(node, "on")
        sides = [n for n in columns.merge_namings(context, node) if n.labels]
        if on is None or not isinstance(on.value, ast.Constant) or len(sides) != 2:
            return
        key = on.value.value
        lacking = [i for i in (0, 1) if key not in (columns.labels_of(context, sides[i].frame) or (key,))]
        if len(lacking) != 1:
            return
        here, there = lacking[0], 1 - lacking[0]
        known, index = f"({sides[there].frame})[{key!r}]", f"({sides[here].frame}).index"
        texts = context.values.sample(index, columns.LABELS) or ()
        if not texts or not all(isinstance(t, str) for t in texts):
            return
        others = columns.labels_of(context, sides[here].frame) or ()
        if any(context.values.overlap(f"({sides[here].frame})[{c!r}]", known) for c in others):
            return
        share = max(context.values.overlap(index, known) or 0.0, context.values.overlap(known, index) or 0.0)
        if share >= SHARE:
            own, other = ("right", "left") if here else ("left", "right")
            written = f"{other}_on={syntax.text(context.cell, on.value)}, {own}_index=True"
            edits = [syntax.replace(context.cell, on, written)]
            yield self.offer(f"`{key!s}` is the index there", edits, f"{share:.0%} of the keys are found in the index")
