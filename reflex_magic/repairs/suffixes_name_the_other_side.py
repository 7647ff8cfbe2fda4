"""`suffixes-name-the-other-side`: the suffixes of a join are those of the other side."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class SuffixesNameTheOtherSide(Answer):
    """The suffixes of a join are those of the other side.

    The two are exchanged.

    Example
    -------
    ::

        import pandas as pd
        budget = pd.DataFrame({"unit": ["a", "b"], "eur": [100, 80]})
        actual = pd.DataFrame({"unit": ["a", "b"], "eur": [90, 95]})
        %%reflect
        both = budget.merge(actual, on="unit", suffixes=("_actual", "_budget"))
        over = both["eur_actual"] - both["eur_budget"]
        %%repaired
        both = budget.merge(actual, on="unit", suffixes=("_budget", "_actual"))
        over = both["eur_actual"] - both["eur_budget"]
    """

    name = "suffixes-name-the-other-side"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        given = syntax.keyword(at.node, "suffixes") if isinstance(at.node, ast.Call) else None
        match given:
            case ast.keyword(value=ast.Tuple(elts=[left, right]) | ast.List(elts=[left, right])):
                edits = [syntax.replace(at.cell, left, at.text(right)), syntax.replace(at.cell, right, at.text(left))]
                yield Way("exchange the suffixes", edits)
