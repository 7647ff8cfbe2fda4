"""A series without a name is merged."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class MergeOfUnnamedSeries(Repair):
    """A series needs a name to become a column.

    The name of its variable is offered, since a person may want another one.

    Example
    -------
    ::

        import pandas as pd
        scores = pd.DataFrame({"name": ["a", "b", "a"], "n": [1, 2, 3]})
        sizes = scores.groupby("name").size()
        %%reflect
        both = scores.merge(sizes, left_on="name", right_index=True)
        %%offered
        both = scores.merge(sizes.rename("sizes"), left_on="name", right_index=True)
    """

    name = "merge-of-unnamed-series"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The series under its variable's name."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or "Series without a name" not in failure.evalue or not isinstance(node, ast.Call):
            return
        parts = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        series = [n for n in parts if context.values.names().get(n.id) == "Series"]
        if len(series) == 1:
            edits = [syntax.insert_after(context.cell, series[0], f'.rename("{series[0].id}")')]
            yield self.offer(f"the column is called {series[0].id!r}", edits, "the series has no name", sure=False)
