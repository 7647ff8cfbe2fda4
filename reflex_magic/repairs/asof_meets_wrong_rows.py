"""`asof-meets-wrong-rows`: `merge_asof` meets the nearest row of whatever it belongs to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class AsofMeetsWrongRows(Answer):
    """`merge_asof` meets the nearest row of whatever it belongs to.

    Written with ``by=``, when there is one column on both sides that says whose row it is. Offered where several
    do.

    Example
    -------
    ::

        import pandas as pd
        trades = pd.DataFrame({"at": [3, 5, 9], "coin": ["x", "y", "x"]})
        quotes = pd.DataFrame({"at": [1, 2, 8], "coin": ["x", "y", "y"], "price": [10.0, 50.0, 51.0]})
        %%reflect
        priced = pd.merge_asof(trades, quotes, on="at")
        %%repaired
        priced = pd.merge_asof(trades, quotes, on="at", by="coin")
    """

    name = "asof-meets-wrong-rows"
    kind = "asof"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        shared = at.facts.get("shared", {}) if not at.facts.get("by") and not at.facts.get("apart") else {}
        for label, differ in shared.items():
            if isinstance(at.node, ast.Call):
                edit = syntax.add_keyword(at.cell, at.node, "by", syntax.literal(label))
                evidence = f"{at.finding.message}; {differ:,} rows get another partner"
                yield Way(f"within each `{label}`", [edit], evidence, sure=len(shared) == 1)
