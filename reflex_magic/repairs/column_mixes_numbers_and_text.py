"""`column-mixes-numbers-and-text`: a column that was read holds numbers, and the same numbers as text."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, assigned, below


class ColumnMixesNumbersAndText(Answer):
    r"""A column that was read holds numbers, and the same numbers as text.

    All become text right after reading, as the values that are text are.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO('[{"user": 7, "n": 1}, {"user": "7", "n": 2}, {"user": "x8", "n": 2}]')
        %%reflect
        clicks = pd.read_json(file)
        users = clicks["user"].nunique()
        %%repaired
        clicks = pd.read_json(file)
        clicks["user"] = clicks["user"].astype(str)
        users = clicks["user"].nunique()
    """

    name = "column-mixes-numbers-and-text"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        name = assigned(at.cell, at.node)
        places = [f"{name}[{syntax.literal(c)}]" for c in at.finding.evidence.get("columns", ())]
        gaps = any(at.missing(place) for place in places)
        # 7.0 would become another text than "7" is
        if name and not any(isinstance(v, float) for place in places for v in at.values(place)):
            lines = "\n".join(f"{place} = {place}.astype(str)" for place in places)
            yield Way("every value as text", below(at.cell, at.node, lines), sure=not gaps)
