"""A categorical column is given a value that is none of its categories."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, syntax
from reflex_magic.repairs.rule import Repair


class CategoryNotListed(Repair):
    """`fillna` or `where` writes a new label into a categorical column.

    The label is added to the categories first. Offered only where the categories have an order, in which
    the new one would be the highest, and where a category is spelled nearly like it.

    Example
    -------
    ::

        import pandas as pd
        outcome = pd.Series(pd.Categorical(["cured", None, "relapse"]))
        %%reflect
        filled = outcome.fillna("not recorded")
        %%repaired
        filled = outcome.cat.add_categories("not recorded").fillna("not recorded")
    """

    name = "category-not-listed"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The label added to the categories."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError", "ValueError") or not isinstance(node, ast.Call):
            return
        if "category" not in failure.evalue.lower() or not isinstance(node.func, ast.Attribute):
            return
        position = {"fillna": 0, "where": 1, "mask": 1}.get(node.func.attr)
        if position is None or len(node.args) <= position:
            return
        label, column = node.args[position], ast.unparse(node.func.value)
        known = context.values.sample(f"({column}).cat.categories", 1000)
        given = context.values.sample(ast.unparse(label), 1)
        if known is None or not given or given[0] in known or not isinstance(label, (ast.Constant, ast.Name)):
            return
        source = syntax.text(context.cell, label)
        # a category that is spelled nearly so is meant, or a second one beside it is
        twin = bool(labels.nearest(str(given[0]), map(str, known)).candidates)
        # in an order the new category would come last, as the highest
        ordered = context.values.sample(f"({column}).cat.ordered", 1) != (False,)
        edits = [syntax.insert_before_member(context.cell, node.func, f"cat.add_categories({source}).")]
        yield self.offer(
            f"add {given[0]!r} to the categories first",
            edits,
            f"{given[0]!r} is none of the {len(known)} categories",
            sure=not twin and not ordered,
        )
