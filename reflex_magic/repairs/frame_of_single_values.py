"""A frame is made of single values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class FrameOfSingleValues(Repair):
    """``pd.DataFrame({"total": 10, "mean": 2.5})`` does not say how many rows; a dict of single values is one row.

    Example
    -------
    ::

        import pandas as pd
        total, mean = 10, 2.5
        %%reflect
        summary = pd.DataFrame({"total": total, "mean": mean})
        %%repaired
        summary = pd.DataFrame([{"total": total, "mean": mean}])
    """

    name = "frame-of-single-values"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The values as one row."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or "If using all scalar values" not in failure.evalue or not isinstance(node, ast.Call):
            return
        if syntax.function_of(context.cell, node, "pandas") != "DataFrame" or len(node.args) != 1:
            return
        given = node.args[0]
        edits = [syntax.replace(context.cell, given, f"[{syntax.text(context.cell, given)}]")]
        yield self.offer("the values are one row", edits, "all values are single ones")
