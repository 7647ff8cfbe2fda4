"""`last-day-cut`: a day as the end of a period is its midnight, and the times of that day are left out."""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class LastDayCut(Answer):
    """A day as the end of a period is its midnight, and the times of that day are left out.

    ``<= "2024-03-31"`` becomes ``< "2024-04-01"``, `between` likewise without its right end. Where the end is no
    text of a day, the days are compared: ``.dt.normalize()``.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"at": pd.to_datetime(["2024-03-01 09:00", "2024-03-31 18:45"]), "eur": [8, 16]})
        %%reflect
        march = orders[(orders["at"] >= "2024-03-01") & (orders["at"] <= "2024-03-31")]
        %%repaired
        march = orders[(orders["at"] >= "2024-03-01") & (orders["at"] < "2024-04-01")]
    """

    name = "last-day-cut"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Compare(left=left, ops=[ast.LtE()], comparators=[bound]):
                following = _next_day(bound)
                if following and isinstance(bound, ast.Constant):
                    written = f"{at.text(left)} < {syntax.quoted(at.cell, bound, following)}"
                    edits = [syntax.replace(at.cell, at.node, written)]
                else:
                    edits = _days(at, left)
            case ast.Call(func=ast.Attribute(value=left, attr="between"), args=[_, bound]) as call if not call.keywords:
                following = _next_day(bound)
                if following and isinstance(bound, ast.Constant):
                    edits = [
                        syntax.replace(at.cell, bound, syntax.quoted(at.cell, bound, following)),
                        syntax.add_keyword(at.cell, call, "inclusive", '"left"'),
                    ]
                else:
                    edits = _days(at, left)
            case _:
                return
        yield Way("with all of the last day", edits)


def _next_day(bound: ast.expr) -> str:
    """The day after a day that is written as text; "" for anything else."""
    try:
        day = dt.date.fromisoformat(str(syntax.constant(bound)))
    except ValueError:
        return ""
    return (day + dt.timedelta(days=1)).isoformat()


def _days(at: Found, left: ast.expr) -> list[Edit]:
    card = at.context.values.card(ast.unparse(left))
    accessor = ".dt" if card is not None and card.is_series else ""
    return [syntax.replace(at.cell, left, f"{syntax.receiver(at.cell, left)}{accessor}.normalize()")]
