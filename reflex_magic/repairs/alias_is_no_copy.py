"""`alias-is-no-copy`: ``before = df`` gives the table a second name, and what is written is under both."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class AliasIsNoCopy(Answer):
    """``before = df`` gives the table a second name, and what is written is under both.

    Makes a copy.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"pay": [10.0, 12.0]})
        %%reflect
        before = staff
        staff["pay"] = staff["pay"] * 2
        raised = staff["pay"].sum() - before["pay"].sum()
        %%repaired
        before = staff.copy()
        staff["pay"] = staff["pay"] * 2
        raised = staff["pay"].sum() - before["pay"].sum()
    """

    name = "alias-is-no-copy"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Assign(value=ast.Name() as table):
                yield Way("keep a copy", [syntax.insert_after(at.cell, table, ".copy()")])
