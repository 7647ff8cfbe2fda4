"""A merge that must not multiply rows, and would."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class MergeOfRepeats(Repair):
    """`validate=` says that a key is there once, and it repeats.

    Keeping the first or the last row of each key is offered, with the number of rows that are lost: which of them is
    right, the data do not say. Silent where both sides repeat.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"cust": [1, 2], "amount": [5, 6]})
        people = pd.DataFrame({"cust": [1, 2, 2], "name": ["Ada", "Bo", "Bob"]})
        %%reflect
        full = orders.merge(people, on="cust", validate="many_to_one")
        %%offered
        full = orders.merge(people.drop_duplicates("cust"), on="cust", validate="many_to_one")
    """

    name = "merge-of-repeats"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The side that repeats with one row for each key."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("MergeError") or not isinstance(node, ast.Call):
            return
        sides = [n for n in columns.merge_namings(context, node) if len(n.labels) == 1 and n.holder is not None]
        wrong = [
            s for s, word in zip(sides, ("left", "right"), strict=False) if f"not unique in {word}" in failure.evalue
        ]
        if len(sides) != 2 or len(wrong) != 1 or wrong[0].holder is None:
            return
        side, holder = wrong[0], wrong[0].holder
        key = syntax.text(context.cell, side.labels[0])
        lost = context.values.sample(f"({side.frame})[{side.labels[0].value!r}].duplicated().sum()", 1)
        for keep, said in (("", "first"), (', keep="last"', "last")):
            edits = [syntax.insert_after(context.cell, holder, f".drop_duplicates({key}{keep})")]
            evidence = f"{lost[0] if lost else 'some'} rows of `{side.frame}` are lost"
            yield self.offer(f"the {said} row of each key", edits, evidence, sure=False)
