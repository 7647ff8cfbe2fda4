"""A search in text gives missing values, and rows are picked by it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_SEARCHES = frozenset({"contains", "startswith", "endswith", "match", "fullmatch"})


class MaskWithMissing(Repair):
    """Rows are picked by a search in text, which is missing where the text is.

    A missing text has not been found: ``na=False``. Offered only where the search is negated, since rows
    without a text would then be picked.

    Example
    -------
    ::

        import pandas as pd
        notes = pd.DataFrame({"text": pd.Series(["late", None, "ok"], dtype=object), "n": [1, 2, 3]})
        %%reflect
        late = notes[notes["text"].str.contains("late")]
        %%repaired
        late = notes[notes["text"].str.contains("late", na=False)]
    """

    name = "mask-with-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The search that finds nothing in missing text."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not isinstance(node, ast.Subscript):
            return
        if "NA / NaN" not in failure.evalue and not failure.evalue.startswith("bad operand type for unary ~"):
            return
        mask = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
        if isinstance(mask, ast.Name):
            mask = syntax.assigned(context.cell, mask.id) or mask
        searches = [n for n in ast.walk(mask) if isinstance(n, ast.Call) and _is_search(n)]
        gaps = [context.values.card(ast.unparse(n.func.value.value)) for n in searches]  # type: ignore[attr-defined]
        if not searches or any(c is None or not c.is_series or not c.columns[0].missing for c in gaps):
            return
        missing = sum(c.columns[0].missing or 0 for c in gaps if c is not None)
        negated = any(isinstance(n, (ast.UnaryOp, ast.Compare)) for n in ast.walk(mask))
        edits = [syntax.add_keyword(context.cell, n, "na", "False") for n in searches]
        yield self.offer("what is missing is not found", edits, f"{missing} texts are missing", sure=not negated)


def _is_search(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr="str"), attr=method):
            return method in _SEARCHES and syntax.keyword(call, "na") is None
    return False
