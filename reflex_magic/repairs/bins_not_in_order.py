"""Edges of bins that do not rise, or are not all different."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class BinsNotInOrder(Repair):
    """`pd.cut` is given edges that are not in order, or `pd.qcut` finds quantiles that are equal.

    Edges out of order are sorted; offered only where there are labels, since those may be in the order of the edges as
    they are. Equal quantiles are merged (``duplicates="drop"``), which makes fewer bins than asked for: offered.

    Silent when an edge is given twice.

    Example
    -------
    ::

        import pandas as pd
        people = pd.DataFrame({"age": [5, 25, 70]})
        %%reflect
        band = pd.cut(people["age"], bins=[0, 65, 18, 120])
        %%repaired
        band = pd.cut(people["age"], bins=[0, 18, 65, 120])
    """

    name = "bins-not-in-order"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """Edges in order."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ValueError") or not isinstance(node, ast.Call):
            return
        function = syntax.function_of(context.cell, node, "pandas")
        if function == "cut" and "must increase monotonically" in failure.evalue:
            yield from self._sorted(context, node)
        elif function == "qcut" and "Bin edges must be unique" in failure.evalue:
            given = syntax.keyword(node, "labels")
            # as many labels as bins were asked for would not fit
            if given is None or syntax.constant(given.value) is False:
                edits = [syntax.add_keyword(context.cell, node, "duplicates", '"drop"')]
                yield self.offer("merge quantiles that are equal", edits, "fewer bins than asked for", sure=False)

    def _sorted(self, context: Context, node: ast.Call) -> Iterator[Proposal]:
        given = node.args[1] if len(node.args) > 1 else getattr(syntax.keyword(node, "bins"), "value", None)
        if isinstance(given, ast.Name):
            given = syntax.assigned(context.cell, given.id)
        if not isinstance(given, (ast.List, ast.Tuple)):
            return
        edges = [(context.values.sample(ast.unparse(e), 1) or (None,))[0] for e in given.elts]
        if not all(isinstance(e, (int, float)) for e in edges) or len(set(edges)) != len(edges):
            return
        order = sorted(zip(edges, given.elts, strict=True), key=lambda pair: pair[0])  # type: ignore[arg-type,return-value]
        places = zip(given.elts, order, strict=True)
        edits = [
            syntax.replace(context.cell, old, syntax.text(context.cell, new))
            for old, (_, new) in places
            if old is not new
        ]
        unlabelled = syntax.keyword(node, "labels") is None and len(node.args) < 4
        yield self.offer("the edges in order", edits, f"{len(edges)} edges do not rise", sure=unlabelled)
