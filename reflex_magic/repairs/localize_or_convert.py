"""A time zone is given to times that have one, or times without one are converted."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class LocalizeOrConvert(Repair):
    """`tz_localize` meets times with a zone, or `tz_convert` times without.

    Times that have a zone are converted to the one that is asked for: each stays the moment that it is. Times
    without a zone may be those of UTC or of the place, so both are offered.

    Silent where further arguments are given.

    Example
    -------
    ::

        import pandas as pd
        at = pd.Series(pd.to_datetime(["2024-06-01T10:00Z", "2024-06-02T11:00Z"]))
        %%reflect
        local = at.dt.tz_localize("Europe/Berlin")
        %%repaired
        local = at.dt.tz_convert("Europe/Berlin")
    """

    name = "localize-or-convert"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The other of the two."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not failure.is_a("TypeError"):
            return
        match node:
            case ast.Call(func=ast.Attribute(value=holder, attr="tz_localize" as method) as member, args=[zone]):
                pass
            case ast.Call(func=ast.Attribute(value=holder, attr="tz_convert" as method) as member, args=[zone]):
                pass
            case _:
                return
        if node.keywords or syntax.constant(zone) is None:
            return
        shown = syntax.text(cell, zone)
        if method == "tz_localize" and "tz-aware" in failure.evalue:
            edit = syntax.rename_member(cell, member, "tz_convert")
            yield self.offer(f"convert to {shown}", [edit], "the times have a zone already; each stays the same moment")
        elif method == "tz_convert" and "tz-naive" in failure.evalue:
            accessor = "dt." if isinstance(holder, ast.Attribute) and holder.attr == "dt" else ""
            said = "the times have no zone"
            edit = syntax.insert_before_member(cell, member, f'tz_localize("UTC").{accessor}')
            yield self.offer("the times are those of UTC", [edit], said, sure=False)
            edit = syntax.rename_member(cell, member, "tz_localize")
            yield self.offer(f"the times are those of {shown}", [edit], said, sure=False)
