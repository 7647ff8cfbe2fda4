"""A method or function of pandas or NumPy under a name that is a slip away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, labels, members, syntax
from reflex_magic.repairs.rule import Repair


class MisspeltMember(Repair):
    """A method, function or accessor of pandas or NumPy is spelled wrongly.

    The nearest of the names that people use is meant when it has the same letters or is one letter away. Silent when a
    column, or a second name, is as near.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"region": ["n", "s", "n"], "units": [1, 2, 3]})
        %%reflect
        units = sales.gruopby("region")["units"].sum()
        %%repaired
        units = sales.groupby("region")["units"].sum()
    """

    name = "misspelt-member"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The member as it is spelled."""
        node = members.missing(context)
        if node is None:
            return
        known = _known(context, node.value)
        taken = [c for c in columns.labels_of(context, ast.unparse(node.value)) or () if isinstance(c, str)]
        near = labels.nearest(node.attr, {*known, *taken})
        if known and len(near.candidates) == 1 and near.candidates[0] not in taken:
            (name,) = near.candidates
            if not near.clear and not labels.one_letter(node.attr, name):
                return
            edits = [syntax.rename_member(context.cell, node, name)]
            evidence = f"`{node.attr}` does not exist, and `{name}` is the only name that near"
            yield self.offer(f"`{node.attr}` is spelled `{name}`", edits, evidence)


def _known(context: Context, holder: ast.expr) -> frozenset[str]:
    """The names of members of what stands before the dot."""
    if isinstance(holder, ast.Attribute) and holder.attr in ("str", "dt"):
        return members.OF_TEXT if holder.attr == "str" else members.OF_DATES
    if isinstance(holder, ast.Name) and context.values.names().get(holder.id) == "module":
        modules = {
            syntax.alias(context.cell, "pandas"): members.OF_PANDAS,
            syntax.alias(context.cell, "numpy"): members.OF_NUMPY,
        }
        return modules.get(holder.id, frozenset())
    card = context.values.card(ast.unparse(holder))
    data = card is not None and (card.is_frame or card.is_series or "GroupBy" in card.type)
    return members.OF_DATA if data else frozenset()
