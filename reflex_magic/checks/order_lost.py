"""`order-lost`: sorted values are assigned to a column, and come back in the order of the rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_ORDERS = frozenset({"sort_values", "sort_index", "sample"})


class OrderLost(Check):
    """``df["x"] = df["x"].sort_values()`` changes nothing: pandas lines the values up with the rows by their labels.

    Found where the last thing that is done to the values is `sort_values`, `sample` or ``[::-1]``, and their labels
    are those of the rows in another order. Silent where something is computed in that order (`cumsum`, `rank`), and
    where the labels are dropped (`to_numpy`, ``reset_index(drop=True)``).

    Example
    -------
    ::

        import pandas as pd
        cards = pd.DataFrame({"no": [3, 1, 2]})
        %%reflect
        cards["sorted"] = cards["no"].sort_values()
        %%clean
        cards["sorted"] = cards["no"].sort_values().to_numpy()
    """

    name = "order-lost"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("assign"):
            f = op.facts
            if not f["rows"] == f["value_rows"] == f["matched"]:
                continue
            node = run.cell.node_at(op.span)
            if isinstance(node, ast.Assign) and _only_orders(node.value):
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{count(f['rows'], 'value')} in another order come back in that of the rows of `{f['column']}`:"
                    " pandas lines up by label",
                    "Drop the labels (to_numpy()), or sort the whole table.",
                    {"rows": f["rows"]},
                )


def _only_orders(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in _ORDERS
        case ast.Subscript(slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp(op=ast.USub()))):
            return True
    return False
