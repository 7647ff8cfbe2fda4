"""`order-lost`: a sorted column is assigned back, and pandas lines it up by label again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, column


class OrderLost(Answer):
    """A sorted column is assigned back, and pandas lines it up by label again.

    Offered: the sorted values by place, and the whole table sorted by that column.

    Example
    -------
    ::

        import pandas as pd
        cards = pd.DataFrame({"no": [3, 1, 2]})
        %%reflect
        cards["sorted"] = cards["no"].sort_values()
        %%offered
        cards["sorted"] = cards["no"].sort_values().to_numpy()
    """

    name = "order-lost"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(value=holder)) as value):
                yield Way(
                    "the sorted values, by place", [syntax.insert_after(at.cell, value, ".to_numpy()")], sure=False
                )
                place = column(holder)
                if place is not None and ast.unparse(target) == ast.unparse(holder):
                    source = f"{place[0]} = {place[0]}.sort_values({syntax.literal(place[1])})"
                    yield Way(
                        f"the whole table in the order of `{place[1]}`",
                        [syntax.replace(at.cell, at.node, source)],
                        sure=False,
                    )
