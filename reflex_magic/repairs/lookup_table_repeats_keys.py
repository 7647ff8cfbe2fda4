"""`lookup-table-repeats-keys`: a table for looking up is made of pairs whose keys repeat."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, column


class LookupTableRepeatsKeys(Answer):
    """A table for looking up is made of pairs whose keys repeat.

    Offered: the mean of the values of each key, and the first.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"item": ["a", "b"]})
        prices = pd.DataFrame({"item": ["a", "a", "b"], "price": [3.0, 5.0, 7.0]})
        %%reflect
        table = dict(zip(prices["item"], prices["price"]))
        sales["price"] = sales["item"].map(table)
        %%offered
        table = prices.groupby("item")["price"].mean().to_dict()
        sales["price"] = sales["item"].map(table)
    """

    name = "lookup-table-repeats-keys"
    kind = "table"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        outer = syntax.parent(at.cell, at.node)
        match at.node, outer:
            case ast.Call(func=ast.Name(id="zip"), args=[key, value]), ast.Call(func=ast.Name(id="dict")) if (
                (one := column(key)) and (other := column(value)) and one[0] == other[0]
            ):
                for method in ("mean", "first"):
                    grouped = f"{one[0]}.groupby({syntax.literal(one[1])})[{syntax.literal(other[1])}]"
                    edit = syntax.replace(at.cell, outer, f"{grouped}.{method}().to_dict()")
                    evidence = (
                        f"{at.finding.message}; one value of each of the {at.facts.get('repeats', 0):,} repeats goes"
                    )
                    yield Way(f"the {method} of each key", [edit], evidence, sure=False)
