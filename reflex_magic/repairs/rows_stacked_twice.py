"""`rows-stacked-twice`: one table stands twice among those that are put under each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class RowsStackedTwice(Answer):
    """One table stands twice among those that are put under each other.

    Offered: it is taken once.

    Example
    -------
    ::

        import pandas as pd
        jan = pd.DataFrame({"eur": [1, 2]})
        feb = pd.DataFrame({"eur": [3, 4]})
        %%reflect
        quarter = pd.concat([jan, feb, feb], ignore_index=True)
        total = quarter["eur"].sum()
        %%offered
        quarter = pd.concat([jan, feb], ignore_index=True)
        total = quarter["eur"].sum()
    """

    name = "rows-stacked-twice"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(args=[ast.List(elts=parts) as written, *_]):
                once = list(dict.fromkeys(map(at.text, parts)))
                if len(once) < len(parts):
                    yield Way(
                        "take each table once", [syntax.replace(at.cell, written, f"[{', '.join(once)}]")], sure=False
                    )
