"""`births-in-the-future`: years of two digits are read as years to come."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, below


class BirthsInTheFuture(Answer):
    """Years of two digits are read as years to come.

    Offered, below the statement: a century is taken off the dates that lie in the future.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"born": ["12.03.58", "01.11.84"]})
        %%reflect
        born = pd.to_datetime(staff["born"], format="%d.%m.%y")
        %%offered
        born = pd.to_datetime(staff["born"], format="%d.%m.%y")
        born = born.where(born < pd.Timestamp.now(), born - pd.DateOffset(years=100))
    """

    name = "births-in-the-future"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match syntax.parent(at.cell, at.node):
            case ast.Assign(targets=[ast.Name() | ast.Subscript() as target]):
                kept, pd = at.text(target), syntax.alias(at.cell, "pandas")
                line = f"{kept} = {kept}.where({kept} < {pd}.Timestamp.now(), {kept} - {pd}.DateOffset(years=100))"
                yield Way("a century off those in the future", below(at.cell, at.node, line), sure=False)
