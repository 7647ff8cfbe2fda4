"""Bins and labels of `pd.cut` that do not match in number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class BinsAndLabels(Repair):
    """`pd.cut` has as many labels as edges, where it needs one fewer.

    When the last label is open ("65+", "over 65", ">65") and names the last edge, the edge that is
    missing is infinity; when the first is open ("<18", "under 18"), minus infinity.

    Offered only where the labels say otherwise than `right` on which side the edges belong ("18-64" begins at 18).
    Silent otherwise: a missing edge in the middle cannot be known.

    Example
    -------
    ::

        import pandas as pd
        people = pd.DataFrame({"age": [4, 17, 18, 70]})
        %%reflect
        band = pd.cut(people["age"], bins=[0, 18, 65], labels=["0-17", "18-64", "65+"], right=False)
        %%repaired
        band = pd.cut(people["age"], bins=[0, 18, 65, float("inf")], labels=["0-17", "18-64", "65+"], right=False)
    """

    name = "bins-and-labels"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The open edge."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or "one fewer than the number of bin edges" not in failure.evalue:
            return
        if not isinstance(node, ast.Call) or syntax.function_of(context.cell, node, "pandas") != "cut":
            return
        bins = _list(
            context, node.args[1] if len(node.args) > 1 else getattr(syntax.keyword(node, "bins"), "value", None)
        )
        given = syntax.keyword(node, "labels")
        names = context.values.sample(ast.unparse(given.value), 1000) if given else None
        if bins is None or not names or len(names) != len(bins.elts) or not bins.elts:
            return
        edges = [syntax.text(context.cell, e) for e in bins.elts]
        first, last = str(names[0]), str(names[-1])
        opened = [
            _open(last, edges[-1], r"\+|over|above|>|≥|from|and up|or more|older"),
            _open(first, edges[0], r"under|below|<|≤|up to|less"),
        ]
        if opened == [True, False]:
            edit = syntax.insert_after(context.cell, bins.elts[-1], ', float("inf")')
        elif opened == [False, True]:
            edit = syntax.replace(context.cell, bins.elts[0], f'float("-inf"), {edges[0]}')
        else:
            return
        shown = last if opened[0] else first
        evidence = f"{len(names)} labels for {len(edges)} edges, and {shown!r} is open"
        yield self.offer(f"the bin {shown!r} is open", [edit], evidence, sure=_sides_agree(node, names, edges))


def _sides_agree(call: ast.Call, names: Sequence[object], edges: Sequence[str]) -> bool:
    """Whether the labels put each edge into the bin into which `right` puts it."""
    given = syntax.keyword(call, "right")
    right = given is None or syntax.constant(given.value) is not False
    for name in map(str, names):
        numbers = re.findall(r"\d+(?:\.\d+)?", name)
        # "18-64" begins at an edge, "0-18" ends at one, "65+" and "<18" have the edge in or out
        begins = (len(numbers) == 2 and numbers[0] in edges[1:]) or re.search(r"\+|≥|from|and up|or more", name)
        ends = (len(numbers) == 2 and numbers[1] in edges) or re.search(r"≤|up to", name)
        if len(numbers) == 1 and re.search(r"over|above|>", name):
            ends = True
        if len(numbers) == 1 and re.search(r"under|below|<|less", name):
            begins = True
        if (begins and right and not ends) or (ends and not right and not begins):
            return False
    return True


def _open(label: str, edge: str, words: str) -> bool:
    return re.search(words, label, re.I) is not None and re.findall(r"\d+(?:\.\d+)?", label) == [edge]


def _list(context: Context, node: ast.expr | None) -> ast.List | None:
    """The list of edges, where it is written in this cell."""
    if isinstance(node, ast.Name):
        node = syntax.assigned(context.cell, node.id)
    return node if isinstance(node, ast.List) else None
