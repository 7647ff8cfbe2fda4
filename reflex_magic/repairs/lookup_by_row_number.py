"""`lookup-by-row-number`: values are looked up in a column whose rows are numbered, and not labelled by them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class LookupByRowNumber(Answer):
    """Values are looked up in a column whose rows are numbered, and not labelled by them.

    The table is labelled by its column of that name first: ``items.set_index("item")["price"]``.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"item": [3, 1, 2]})
        items = pd.DataFrame({"item": [1, 2, 3], "price": [5.0, 7.0, 9.0]})
        %%reflect
        sales["price"] = sales["item"].map(items["price"])
        %%repaired
        sales["price"] = sales["item"].map(items.set_index("item")["price"])
    """

    name = "lookup-by-row-number"
    kind = "lookup"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        key = at.facts.get("name")
        match at.node:
            case ast.Call(args=[ast.Subscript(value=ast.Name(id=table) as holder)]) if key:
                if key in (columns.labels_of(at.context, table) or ()):
                    edit = syntax.replace(at.cell, holder, f"{table}.set_index({syntax.literal(key)})")
                    yield Way(f"look up by `{key}`", [edit])
