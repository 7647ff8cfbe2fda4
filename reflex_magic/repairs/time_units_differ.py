"""Times of different resolution, or out of order, in a merge by the nearest time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class TimeUnitsDiffer(Repair):
    """`pd.merge_asof` wants times of one resolution on both sides.

    The right side's times are given the left side's unit.

    Silent when one side is no time, and when the zones differ.

    Example
    -------
    ::

        import pandas as pd
        boots = pd.DataFrame({"at": pd.to_datetime(["2024-03-02", "2024-03-10"]).as_unit("ns"), "n": [1, 2]})
        releases = pd.DataFrame({"at": pd.to_datetime(["2024-03-01", "2024-03-09"]).as_unit("us"), "v": [1, 2]})
        %%reflect
        tagged = pd.merge_asof(boots, releases, on="at")
        %%repaired
        tagged = pd.merge_asof(boots, releases.astype({"at": "datetime64[ns]"}), on="at")
    """

    name = "time-units-differ"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same unit on both sides."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("MergeError") or not isinstance(node, ast.Call):
            return
        if "incompatible merge keys" not in failure.evalue:
            return
        sides = [n for n in columns.merge_namings(context, node) if len(n.labels) == 1]
        if len(sides) != 2:
            return
        dtypes = []
        for side in sides:
            card = context.values.card(f"({side.frame})[{side.labels[0].value!r}]")
            dtypes.append(card.columns[0].dtype if card is not None and card.is_series else "")
        units = [re.fullmatch(r"datetime64\[(\w+)(, .+)?\]", d) for d in dtypes]
        if units[0] is None or units[1] is None or units[0][2] != units[1][2] or units[0][1] == units[1][1]:
            return
        holder = sides[1].holder
        if not isinstance(holder, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            return
        label = syntax.text(context.cell, sides[1].labels[0])
        edits = [syntax.insert_after(context.cell, holder, f'.astype({{{label}: "{dtypes[0]}"}})')]
        yield self.offer("the same unit of time on both sides", edits, f"the keys are {dtypes[0]} and {dtypes[1]}")
