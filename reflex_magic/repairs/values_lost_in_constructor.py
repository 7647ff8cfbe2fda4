"""`values-lost-in-constructor`: a constructor selects by labels that the data does not have, and nothing is left."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ValuesLostInConstructor(Answer):
    """A constructor selects by labels that the data does not have, and nothing is left.

    The data gets the labels: `set_axis`. Silent where there are not as many of them as rows or columns.

    Example
    -------
    ::

        import pandas as pd
        hours = pd.Series([8, 7], index=["mon", "tue"])
        %%reflect
        week = pd.Series(hours, index=["Monday", "Tuesday"])
        %%repaired
        week = hours.set_axis(["Monday", "Tuesday"])
    """

    name = "values-lost-in-constructor"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(args=[data], keywords=[ast.keyword(arg="index" | "columns" as axis, value=given)]):
                card = at.context.values.card(ast.unparse(data))
                labels = at.values(given)
                if card is None or not (card.is_frame or card.is_series):
                    return
                if len(labels) == (card.rows if axis == "index" else len(card.columns)):
                    side = ", axis=1" if axis == "columns" else ""
                    source = f"{syntax.receiver(at.cell, data)}.set_axis({at.text(given)}{side})"
                    yield Way("give the data these labels", [syntax.replace(at.cell, at.node, source)])
