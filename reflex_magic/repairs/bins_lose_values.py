"""`bins-lose-values`: values on the outer edges of bins, or beyond them, are in no bin."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class BinsLoseValues(Answer):
    """Values on the outer edges of bins, or beyond them, are in no bin.

    The lowest edge is included when only values on it are lost. Open outer bins are offered for values beyond
    written edges.

    Example
    -------
    ::

        import pandas as pd
        scores = pd.Series([0, 40, 51, 77, 100])
        %%reflect
        grade = pd.cut(scores, [0, 50, 100], labels=["fail", "pass"])
        %%repaired
        grade = pd.cut(scores, [0, 50, 100], labels=["fail", "pass"], include_lowest=True)
    """

    name = "bins-lose-values"
    kind = "bins"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        f = at.facts
        if not isinstance(at.node, ast.Call):
            return
        call, edges = at.node, at.node.args[1] if len(at.node.args) > 1 else None
        if not f.get("below") and not f.get("above"):
            if syntax.keyword(call, "right") is None:
                yield Way("include the lowest edge", [syntax.add_keyword(at.cell, call, "include_lowest", "True")])
        elif isinstance(edges, ast.List):
            edits = [syntax.replace(at.cell, edges.elts[0], '-float("inf")')] if f["below"] else []
            edits += [syntax.replace(at.cell, edges.elts[-1], 'float("inf")')] if f["above"] else []
            yield Way("outer bins without an end", edits, sure=False)
