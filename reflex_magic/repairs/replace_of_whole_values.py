"""`replace-of-whole-values`: `replace` of a part of a text, which replaces whole values only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ReplaceOfWholeValues(Answer):
    """`replace` of a part of a text, which replaces whole values only.

    A column's `replace` becomes ``.str.replace(..., regex=False)``. Silent for frames, and where `regex` is
    written.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"price": ["$120", "$80", "$7"]})
        %%reflect
        sales["price"] = sales["price"].replace("$", "")
        %%repaired
        sales["price"] = sales["price"].str.replace("$", "", regex=False)
    """

    name = "replace-of-whole-values"
    kind = "replace_whole"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case (
                ast.Call(
                    func=ast.Attribute(value=holder) as member,
                    args=[ast.Constant(value=str()), ast.Constant(value=str())],
                ) as call
            ) if not call.keywords:
                card = at.context.values.card(ast.unparse(holder))
                if card is not None and card.is_series:
                    edits = [
                        syntax.insert_before_member(at.cell, member, "str."),
                        syntax.add_keyword(at.cell, call, "regex", "False"),
                    ]
                    yield Way("replace the part within each text", edits)
