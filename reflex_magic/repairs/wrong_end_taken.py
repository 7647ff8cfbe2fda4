"""`wrong-end-taken`: the rows at the other end of the order are taken than those that are meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class WrongEndTaken(Answer):
    """The rows at the other end of the order are taken than those that are meant.

    `sort_values` goes the other way. Silent where the order is made in another statement.

    Example
    -------
    ::

        import pandas as pd
        shops = pd.DataFrame({"shop": ["a", "b", "c"], "eur": [10, 20, 30]})
        %%reflect
        top = shops.sort_values("eur").head(1)
        %%repaired
        top = shops.sort_values("eur", ascending=False).head(1)
    """

    name = "wrong-end-taken"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        for call in ast.walk(at.node):
            match call:
                case ast.Call(func=ast.Attribute(attr="sort_values")):
                    given = syntax.keyword(call, "ascending")
                    rising = given is None or syntax.constant(given.value) is True
                    edit = syntax.add_keyword(at.cell, call, "ascending", str(not rising))
                    yield Way("the other end of the order", [edit])
                    return
