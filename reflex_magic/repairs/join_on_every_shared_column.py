"""`join-on-every-shared-column`: a merge without `on` meets by every column of the same name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class JoinOnEverySharedColumn(Answer):
    """A merge without `on` meets by every column of the same name.

    The one column is written that identifies the rows on its own. Offered where several do.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"id": [1, 2, 3], "note": ["", "x", ""]})
        pay = pd.DataFrame({"id": [1, 2, 3], "eur": [10, 20, 30], "note": ["", "", ""]})
        %%reflect
        both = staff.merge(pay)
        %%repaired
        both = staff.merge(pay, on="id")
    """

    name = "join-on-every-shared-column"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        keys = at.finding.evidence.get("keys", ())
        if not isinstance(at.node, ast.Call):
            return
        for key in keys:
            edit = syntax.add_keyword(at.cell, at.node, "on", syntax.literal(key))
            yield Way(f"join by `{key}` alone", [edit], sure=len(keys) == 1)
