"""`text-is-true`: `astype(bool)` of written truth values, of which each is true."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class TextIsTrue(Answer):
    """`astype(bool)` of written truth values, of which each is true.

    Becomes a comparison with the words that mean true, when every value of the column means true or false.

    Silent for other words, and where values are missing.

    Example
    -------
    ::

        import pandas as pd
        users = pd.DataFrame({"active": ["True", "False", "True"]})
        %%reflect
        n = users["active"].astype(bool).sum()
        %%repaired
        n = users["active"].eq("True").sum()
    """

    name = "text-is-true"
    kind = "cast"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(attr="astype") as member) as call:
                words = at.facts.get("words", ())
                true = [w for w in words if w.strip().lower() in _TRUE]
                if not true or len(true) == len(words) or not all(w.strip().lower() in _TRUE | _FALSE for w in words):
                    return
                listed = ", ".join(map(syntax.literal, true))
                test = f"eq({listed})" if len(true) == 1 else f"isin([{listed}])"
                start, end = syntax.member_start(at.cell, member), at.cell.span(call)
                edit = Edit(Span(*start, end.end_line, end.end_column), test)
                others = sorted(set(words) - set(true))
                said = f"{', '.join(others)} {'means' if len(others) == 1 else 'mean'} false"
                evidence = f"{at.finding.message}; all its {len(words)} words mean true or false: {said}"
                yield Way(
                    f"true is what says {listed}", [edit], evidence, sure=at.facts.get("looked") == at.facts.get("rows")
                )


_TRUE = frozenset({"true", "t", "yes", "y", "on", "1", "1.0"})
_FALSE = frozenset({"false", "f", "no", "n", "off", "0", "0.0"})
