"""`minutes-for-months`: a format has minutes where the month stands, or the month behind the hour."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class MinutesForMonths(Answer):
    """A format has minutes where the month stands, or the month behind the hour.

    ``%M`` becomes ``%m`` in a format without hours, ``%m`` becomes ``%M`` behind ``%H``.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"day": ["2024-05-02", "2024-06-11"]})
        %%reflect
        day = pd.to_datetime(sales["day"], format="%Y-%M-%d")
        %%repaired
        day = pd.to_datetime(sales["day"], format="%Y-%m-%d")
    """

    name = "minutes-for-months"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        for part in ast.walk(at.node):
            match part:
                case ast.Constant(value=str(form)) if "%" in form:
                    new = (
                        re.sub(r"(%[HI]\W?)%m", r"\1%M", form) if re.search("%[HI]", form) else form.replace("%M", "%m")
                    )
                    if new != form:
                        edit = syntax.replace(at.cell, part, syntax.quoted(at.cell, part, new))
                        yield Way(f"the format {new!r}", [edit])
