"""`compared-with-another-type`: a column is compared with a value of another type, which equals none of its values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, equality


class ComparedWithAnotherType(Answer):
    """A column is compared with a value of another type, which equals none of its values.

    The value is written in the type of the column, when the column has the value written so.

    Silent where the column has no such value.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"shop": ["1", "2", "1"], "eur": [8.0, 2.0, 5.0]})
        %%reflect
        first = orders.loc[orders["shop"] == 1, "eur"].sum()
        %%repaired
        first = orders.loc[orders["shop"] == "1", "eur"].sum()
    """

    name = "compared-with-another-type"
    kind = "compare"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match equality(at.node):
            case (holder, ast.Constant(value=value) as written, _):
                pass
            case _:
                return
        same = [v for v in at.facts.get("alike") or at.values(holder) if _alike(v, value)]
        if len(same) == 1:
            edit = syntax.replace(at.cell, written, syntax.literal(same[0]))
            evidence = f"{at.finding.message}; of its values, one is {same[0]!r}"
            yield Way(f"compare with {same[0]!r}", [edit], evidence)


def _alike(value: object, written: object) -> bool:
    """Whether a value of the column is the written one in another type."""
    if type(value) is type(written) or not isinstance(value, (str, int, float, bool)):
        return False
    if isinstance(value, bool) or isinstance(written, bool):
        return str(value).strip().lower() == str(written).strip().lower()
    try:
        return float(value) == float(str(written))
    except ValueError:
        return False
