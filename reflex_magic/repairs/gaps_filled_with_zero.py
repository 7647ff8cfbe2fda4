"""`gaps-filled-with-zero`: gaps in measurements are filled with 0, and the zeros are averaged."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class GapsFilledWithZero(Answer):
    """Gaps in measurements are filled with 0, and the zeros are averaged.

    Offered: the gaps stay missing.

    Example
    -------
    ::

        import pandas as pd
        air = pd.DataFrame({"temp": [17.5, None, 18.5, None, 19.0]})
        %%reflect
        air["temp"] = air["temp"].fillna(0)
        mean = air["temp"].mean()
        %%offered
        air["temp"] = air["temp"]
        mean = air["temp"].mean()
    """

    name = "gaps-filled-with-zero"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(value=ast.Subscript() | ast.Name() as holder, attr="fillna")) as call:
                yield Way("leave the gaps missing", [syntax.replace(at.cell, call, at.text(holder))], sure=False)
