"""`looked-up-in-the-index`: ``value in series`` looks at the labels of its rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class LookedUpInTheIndex(Answer):
    """``value in series`` looks at the labels of its rows.

    Asks the values instead: ``value in series.values``.

    Example
    -------
    ::

        import pandas as pd
        members = pd.Series(["uma", "vic"])
        %%reflect
        known = "uma" in members
        %%repaired
        known = "uma" in members.values
    """

    name = "looked-up-in-the-index"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[holder]):
                source = f"{syntax.receiver(at.cell, holder)}.values"
                yield Way("look at the values", [syntax.replace(at.cell, holder, source)])
