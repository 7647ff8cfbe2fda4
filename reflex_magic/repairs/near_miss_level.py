"""A level of an index is asked for in another spelling."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, syntax
from reflex_magic.repairs.rule import Repair


class NearMissLevel(Repair):
    """`level=` names a level of the index that is spelled otherwise.

    The same letters and one slip of the fingers are clear. Silent where nothing comes near.

    Example
    -------
    ::

        import pandas as pd
        index = pd.MultiIndex.from_tuples([("x", 1), ("x", 2)], names=["region", "year"])
        sales = pd.Series([1, 2], index=index)
        %%reflect
        per_region = sales.groupby(level="Region").sum()
        %%repaired
        per_region = sales.groupby(level="region").sum()
    """

    name = "near-miss-level"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The level as the index spells it."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("KeyError", "ValueError") or not isinstance(node, ast.Call):
            return
        said = re.search(r"[Ll]evel \(?([^()]+?)\)? (not found|is not|does not match|must be)", failure.evalue)
        if said is None or not isinstance(node.func, ast.Attribute):
            return
        holder = node.func.value.value if syntax.dotted(node.func.value).endswith(".index") else node.func.value  # type: ignore[attr-defined]
        card = context.values.card(ast.unparse(holder))
        if card is None:
            return
        known = [n for n in card.index if n]
        wrong = [c for c in ast.walk(node) if isinstance(c, ast.Constant) and c.value == said[1].strip("'")]
        near = labels.nearest(said[1].strip("'"), known)
        for level in near.candidates:
            edits = [syntax.replace(context.cell, c, syntax.quoted(context.cell, c, level)) for c in wrong]
            evidence = f"the index has the levels {labels.listed(known)}"
            if edits:
                yield self.offer(f"the level is called `{level}`", edits, evidence, sure=near.clear)
