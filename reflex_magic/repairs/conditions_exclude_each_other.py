"""`conditions-exclude-each-other`: two conditions that cannot both be true, or of which one always is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, equality


class ConditionsExcludeEachOther(Answer):
    """Two conditions that cannot both be true, or of which one always is.

    ``|`` between what a value is not becomes ``&``, and ``&`` between what it is becomes ``|``. Offered where a
    column is compared by ``<`` and ``>``, since a bound may be meant otherwise.

    Example
    -------
    ::

        import pandas as pd
        parcels = pd.DataFrame({"state": ["lost", "home", "back", "home"]})
        %%reflect
        open_ = parcels[(parcels["state"] != "lost") | (parcels["state"] != "back")]
        %%repaired
        open_ = parcels[(parcels["state"] != "lost") & (parcels["state"] != "back")]
    """

    name = "conditions-exclude-each-other"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() as op, right=right) as node:
                place = syntax.operator(at.cell, node)
                new = "&" if isinstance(op, ast.BitOr) else "|"
                equal = equality(left) is not None and equality(right) is not None
                if place is not None:
                    yield Way(f"join the conditions by {new}", [Edit(place, new)], sure=equal)
            case ast.Call(func=ast.Attribute(attr="between"), args=[low, high, *_]):
                edits = [syntax.replace(at.cell, low, at.text(high)), syntax.replace(at.cell, high, at.text(low))]
                yield Way("the lower end first", edits)
