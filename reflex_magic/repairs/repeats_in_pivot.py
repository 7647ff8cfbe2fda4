"""A table is turned over whose pairs of labels repeat."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_WAYS = {"sum": "their sum", "mean": "their mean", "first": "the first of them"}


class RepeatsInPivot(Repair):
    """`pivot` or `unstack` meets several values for one place.

    Which of them is meant, or their sum or mean, a person has to say: each is offered.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"day": [1, 1, 2], "kind": ["a", "a", "b"], "minutes": [10, 20, 30]})
        %%reflect
        wide = log.pivot(index="day", columns="kind", values="minutes")
        %%offered
        wide = log.pivot_table(index="day", columns="kind", values="minutes", aggfunc="sum")
    """

    name = "repeats-in-pivot"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The table with the sum, the mean or the first of the values."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or "duplicate entries, cannot reshape" not in failure.evalue:
            return
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return
        for function, said in _WAYS.items():
            if node.func.attr == "pivot":
                edits = [
                    syntax.rename_member(context.cell, node.func, "pivot_table"),
                    syntax.add_keyword(context.cell, node, "aggfunc", f'"{function}"'),
                ]
            elif node.func.attr == "unstack":
                card = context.values.card(ast.unparse(node.func.value))
                levels = list(range(len(card.index))) if card is not None and len(card.index) > 1 else []
                if not levels:
                    return
                edits = [syntax.insert_before_member(context.cell, node.func, f"groupby(level={levels}).{function}().")]
            else:
                return
            evidence = "one pair of labels has several values; each choice gives other numbers"
            yield self.offer(f"{said}, where a pair has several", edits, evidence, sure=False)
