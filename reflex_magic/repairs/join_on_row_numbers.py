"""`join-on-row-numbers`: two tables are put beside each other by the numbers of their rows, and share a key."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class JoinOnRowNumbers(Answer):
    """Two tables are put beside each other by the numbers of their rows, and share a key.

    They are joined by the key. Silent where it repeats in the right table.

    Example
    -------
    ::

        import pandas as pd
        trips = pd.DataFrame({"car": ["b", "a", "b"], "km": [10, 20, 30]})
        cars = pd.DataFrame({"car": ["a", "b", "c"], "seats": [4, 7, 2]})
        %%reflect
        both = trips.join(cars[["seats"]])
        %%repaired
        both = trips.join(cars.set_index("car")[["seats"]], on="car")
    """

    name = "join-on-row-numbers"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        keys = at.finding.evidence.get("keys", ())
        if len(keys) != 1:
            return
        (key,), title = keys, f"join by `{keys[0]}`"
        match at.node:
            case ast.Call(func=ast.Attribute(attr="join"), args=[other]) as call if not call.keywords:
                table = other.value if isinstance(other, ast.Subscript) else other
                if isinstance(table, ast.Name) and _is_key(at, table, key):
                    edits = [
                        syntax.replace(at.cell, table, f"{table.id}.set_index({syntax.literal(key)})"),
                        syntax.add_keyword(at.cell, call, "on", syntax.literal(key)),
                    ]
                    yield Way(title, edits)
            case ast.Call(args=[ast.List(elts=[ast.Name() as left, other])]) as call:
                table = other.value if isinstance(other, ast.Subscript) else other
                if isinstance(table, ast.Name) and _is_key(at, table, key):
                    picked = at.text(other).replace(table.id, f"{table.id}.set_index({syntax.literal(key)})", 1)
                    source = f"{left.id}.join({_without(at, left, table, picked, key)}, on={syntax.literal(key)})"
                    yield Way(title, [syntax.replace(at.cell, call, source)])


def _is_key(at: Found, table: ast.Name, key: str) -> bool:
    """Whether no value of the column stands twice in a table."""
    rows = at.context.values.card(table.id)
    alone = at.context.values.card(f"{table.id}.drop_duplicates(subset=[{key!r}])")
    return rows is not None and alone is not None and rows.rows == alone.rows


def _without(at: Found, left: ast.Name, table: ast.Name, picked: str, key: str) -> str:
    """The right side without the columns that the left one has as well."""
    ours, theirs = (columns.labels_of(at.context, t.id) or () for t in (left, table))
    both = [c for c in theirs if c in ours and c != key] if "[" not in picked.partition(")")[2] else []
    return f"{picked}.drop(columns={both!r})" if both else picked
