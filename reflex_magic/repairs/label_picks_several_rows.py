"""`label-picks-several-rows`: a row is picked by its number, and several rows have that number."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class LabelPicksSeveralRows(Answer):
    """A row is picked by its number, and several rows have that number.

    Offered: the rows are numbered anew where one is picked.

    Example
    -------
    ::

        import pandas as pd
        book = pd.DataFrame({"eur": [1, 2, 3, 4]}, index=[0, 1, 0, 1])
        %%reflect
        first = book.loc[0, "eur"]
        %%offered
        first = book.reset_index(drop=True).loc[0, "eur"]
    """

    name = "label-picks-several-rows"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Subscript(value=ast.Attribute(value=holder)):
                source = f"{syntax.receiver(at.cell, holder)}.reset_index(drop=True)"
                yield Way("number the rows anew", [syntax.replace(at.cell, holder, source)], sure=False)
