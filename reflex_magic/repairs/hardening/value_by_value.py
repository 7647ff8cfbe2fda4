"""Columns computed by a function of each value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.hardening import columnwise
from reflex_magic.repairs.rule import Repair


class ValueByValue(Repair):
    """A function is called for each value of a column where the whole column can be computed at once.

    Offered for ``series.apply(lambda value: ...)`` and `map` with arithmetic, comparisons, NumPy's
    elementwise functions and methods of text; silent for anything else in the function.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"name": [" Ann", "Bo "]})
        %%reflect
        staff["key"] = staff["name"].apply(lambda name: name.strip())
        %%offered
        staff["key"] = staff["name"].str.strip()
    """

    name = "value-by-value"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The expression of the function over the whole column."""
        for node in syntax.nodes(context.cell):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=series, attr="apply" | "map"),
                    args=[ast.Lambda(args=ast.arguments(args=[ast.arg(arg=value)], defaults=[]), body=body)],
                    keywords=[],
                ):
                    own = syntax.receiver(context.cell, series)
                    card = context.values.card(own)
                    if card is None or not card.is_series:
                        continue
                    edits = columnwise.of_value(context, body, value, own)
                    if edits is not None:
                        yield self.offer(
                            f"compute `{syntax.text(context.cell, body)}` for all of `{own}` at once",
                            [*columnwise.in_place_of(context.cell, node, body), *edits],
                            f"the function is called {card.rows:,} times",
                        )
