"""`duplicates-by-part-of-row`: `drop_duplicates` compares some columns, and rows that differ in others are dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.repairs.answer import Answer, Found, Way


class DuplicatesByPartOfRow(Answer):
    """`drop_duplicates` compares some columns, and rows that differ in others are dropped.

    Whole rows are compared. Silent where `keep` is written.

    Example
    -------
    ::

        import pandas as pd
        gifts = pd.DataFrame({"who": ["a", "a", "b"], "day": [1, 2, 1], "eur": [5, 9, 4]})
        %%reflect
        unique = gifts.drop_duplicates(subset=["who"])
        total = unique["eur"].sum()
        %%repaired
        unique = gifts.drop_duplicates()
        total = unique["eur"].sum()
    """

    name = "duplicates-by-part-of-row"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(args=[], keywords=[ast.keyword(arg="subset")]) | ast.Call(args=[_], keywords=[]) as call:
                given = call.keywords[0] if call.keywords else call.args[0]
                span = at.cell.span(given)
                yield Way("compare whole rows", [Edit(span, "")])
