"""`years-of-365-days`: ``days // 365`` counts a birthday some days too early."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class YearsOf365Days(Answer):
    """``days // 365`` counts a birthday some days too early.

    The years are counted by the calendar: one less before the day of the year comes. For one day that is compared
    with a column of dates.

    Example
    -------
    ::

        import pandas as pd
        born = pd.Series(pd.to_datetime(["1980-06-10", "1991-01-05"]))
        today = pd.Timestamp("2024-06-01")
        %%reflect
        age = (today - born).dt.days // 365
        %%repaired
        age = (today.year - born.dt.year - (born.dt.strftime("%m%d") > today.strftime("%m%d")))
    """

    name = "years-of-365-days"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        above_: list[ast.AST | None] = [at.node]
        for _ in range(3):
            above_.append(syntax.parent(at.cell, above_[-1]) if above_[-1] is not None else None)
        match above_:
            case [
                ast.BinOp(left=ast.Name(id=today), op=ast.Sub(), right=born),
                ast.Attribute(attr="dt"),
                ast.Attribute(attr="days"),
                ast.BinOp(op=ast.FloorDiv(), right=ast.Constant(value=365)) as whole,
            ]:
                card = at.context.values.card(today)
                if card is not None and card.type == "Timestamp":
                    dates = syntax.receiver(at.cell, born)
                    early = f'({dates}.dt.strftime("%m%d") > {today}.strftime("%m%d"))'
                    source = f"({today}.year - {dates}.dt.year - {early})"
                    yield Way("years by the calendar", [syntax.replace(at.cell, whole, source)])
