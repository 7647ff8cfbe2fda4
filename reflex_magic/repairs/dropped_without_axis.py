"""`drop` looks for columns among the rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class DroppedWithoutAxis(Repair):
    """``df.drop("notes")`` drops rows; `notes` is a column.

    Written with ``columns=``, when all labels are columns and none is a row.

    Example
    -------
    ::

        import pandas as pd
        survey = pd.DataFrame({"id": [1, 2], "notes": ["x", "y"]})
        %%reflect
        slim = survey.drop("notes")
        %%repaired
        slim = survey.drop(columns="notes")
    """

    name = "dropped-without-axis"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same labels as columns."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("KeyError") or "not found in axis" not in failure.evalue:
            return
        match node:
            case ast.Call(func=ast.Attribute(value=holder, attr="drop"), args=[given]):
                pass
            case _:
                return
        axis = syntax.keyword(node, "axis")
        if axis is not None and syntax.constant(axis.value) not in (0, "index"):
            return
        frame = ast.unparse(holder)
        wanted = context.values.sample(ast.unparse(given), columns.LABELS)
        known = columns.labels_of(context, frame) if columns.is_frame(context, frame) else None
        rows = context.values.overlap(ast.unparse(given), f"({frame}).index")
        if wanted and known and set(wanted) <= set(known) and not rows:
            edits = [syntax.replace(context.cell, given, f"columns={syntax.text(context.cell, given)}")]
            if axis is not None:
                gone = syntax.drop_keyword(context.cell, node, "axis")
                edits += [gone] if gone is not None else []
            evidence = f"{len(wanted)} labels are columns, and none is a row"
            yield self.offer("drop columns, not rows", edits, evidence)
