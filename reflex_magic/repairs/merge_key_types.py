"""A merge of keys that are numbers on one side and text on the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000


class MergeKeyTypes(Repair):
    """A key is a whole number on one side of a merge and text on the other.

    The text becomes numbers when every text is a whole number and such keys are then found on the other
    side. Where texts have leading zeros that is offered: the result has the numbers, and codes lose their
    zeros.

    Silent when a text is no number, when two texts are one number ("7" and "07"), or when none of the keys
    would meet.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["7", "12"], "units": [1, 2]})
        shops = pd.DataFrame({"shop": [7, 12], "town": ["Lugo", "Vigo"]})
        %%reflect
        both = sales.merge(shops, on="shop")
        %%repaired
        both = sales.astype({"shop": int}).merge(shops, on="shop")
    """

    name = "merge-key-types"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The merge with numbers on both sides."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ValueError") or "trying to merge on" not in failure.evalue:
            return
        if not isinstance(node, ast.Call):
            return
        sides = [n for n in columns.merge_namings(context, node) if len(n.labels) == 1 and n.holder is not None]
        if len(sides) != 2:
            return
        keys = [f"({s.frame})[{s.labels[0].value!r}]" for s in sides]
        values = [context.values.sample(k, DISTINCT) for k in keys]
        for here, there in ((0, 1), (1, 0)):
            ours, theirs, holder = values[here], values[there], sides[here].holder
            if not ours or not theirs or len(ours) >= DISTINCT or holder is None:
                continue
            if not all(isinstance(v, str) and v.strip().isdecimal() for v in ours):
                continue
            if not all(isinstance(v, int) for v in theirs) or not {int(str(v)) for v in ours} & set(theirs):
                continue
            if len({int(str(v)) for v in ours}) < len({str(v).strip() for v in ours}):
                continue
            zeros = any(str(v).strip() != str(int(str(v))) for v in ours)
            key = syntax.text(context.cell, sides[here].labels[0])
            edits = [syntax.insert_after(context.cell, holder, f".astype({{{key}: int}})")]
            evidence = f"all {len(ours)} distinct texts of the key are whole numbers, as the other side's keys are"
            if isinstance(holder, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
                yield self.offer("the key as a number on both sides", edits, evidence, sure=not zeros)
