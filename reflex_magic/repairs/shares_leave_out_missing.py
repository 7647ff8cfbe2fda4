"""`shares-leave-out-missing`: shares are of the rows that have a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class SharesLeaveOutMissing(Answer):
    """Shares are of the rows that have a value.

    Offered: the missing ones are counted as well, ``dropna=False``.

    Example
    -------
    ::

        import pandas as pd
        poll = pd.DataFrame({"vote": ["yes", "no", None, "yes", None]})
        %%reflect
        shares = poll["vote"].value_counts(normalize=True)
        %%offered
        shares = poll["vote"].value_counts(normalize=True, dropna=False)
    """

    name = "shares-leave-out-missing"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if isinstance(at.node, ast.Call):
            edit = syntax.add_keyword(at.cell, at.node, "dropna", "False")
            yield Way("shares of all rows", [edit], sure=False)
