"""Group-bys that would drop rows without a key."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class MissingKeysLeftOpen(Repair):
    """A group-by does not say what becomes of rows without a key, and now there are none.

    Offers ``dropna=False``: nothing changes today, and rows that come without a key are counted
    and not dropped. Silent where `dropna` is written, and where keys are missing: that is a finding.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"region": ["n", "s", "n"], "units": [1, 2, 3]})
        %%reflect
        counts = sales.groupby("region")["units"].sum()
        %%offered
        counts = sales.groupby("region", dropna=False)["units"].sum()
    """

    name = "missing-keys-left-open"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The group-by that keeps them."""
        for op in context.run.of("groupby"):
            node = syntax.at(context.cell, op.span)
            if not isinstance(node, ast.Call) or op.facts["missing"] or {"dropna", "**"} & set(op.keywords):
                continue
            keys = ", ".join(f"`{k}`" for k in op.facts["keys"] if k)
            yield self.offer(
                "keep rows without a key, should some come: dropna=False in groupby",
                [syntax.add_keyword(context.cell, node, "dropna", "False")],
                f"none of {op.facts['rows']:,} rows is without {keys or 'a key'} now",
            )
