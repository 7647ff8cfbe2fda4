"""`compared-with-midnight`: a column with times of day is compared with a day, which is its midnight."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, equality


class ComparedWithMidnight(Answer):
    """A column with times of day is compared with a day, which is its midnight.

    The times are cut to their day first: ``.dt.normalize()``.

    Example
    -------
    ::

        import pandas as pd
        calls = pd.DataFrame({"at": pd.to_datetime(["2024-03-01 09:15", "2024-03-01 17:40", "2024-03-02 08:00"])})
        %%reflect
        n = (calls["at"] == "2024-03-01").sum()
        %%repaired
        n = (calls["at"].dt.normalize() == "2024-03-01").sum()
    """

    name = "compared-with-midnight"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match equality(at.node):
            case (holder, _, _):
                card = at.context.values.card(ast.unparse(holder))
                if card is not None and card.is_series:
                    source = f"{syntax.receiver(at.cell, holder)}.dt.normalize()"
                    yield Way("compare the days", [syntax.replace(at.cell, holder, source)])
