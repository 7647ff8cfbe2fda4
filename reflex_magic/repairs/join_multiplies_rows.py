"""`join-multiplies-rows`: a join repeats rows because keys repeat in the right table."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.answer import Answer, Found, Way, sides


class JoinMultipliesRows(Answer):
    """A join repeats rows because keys repeat in the right table.

    Rows of the right table that are wholly equal are taken once, which is offered where no key repeats on the left.
    Where rows of one key differ, the ways to have one row of each key are offered, each with the number of rows
    that it leaves out, and ``validate="many_to_one"`` with them; and so is a further column that both tables have
    and that tells the rows of a key apart.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"product": ["a", "a", "b"], "units": [1, 2, 3]})
        prices = pd.DataFrame({"product": ["a", "b", "b"], "price": [5.0, 7.0, 7.0]})
        %%reflect
        priced = sales.merge(prices, on="product")
        units = priced["units"].sum()
        %%repaired
        priced = sales.merge(prices.drop_duplicates(), on="product")
        units = priced["units"].sum()
    """

    name = "join-multiplies-rows"
    kind = "merge"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        pair = sides(at.cell, at.node)
        keys = [k for k in at.facts.get("right_keys", ()) if k]
        if pair is None or not keys or not at.facts.get("right_repeats"):
            return
        statement = syntax.statement(at.cell, at.node)
        if isinstance(statement, ast.Assign) and ast.unparse(pair[1]) in map(ast.unparse, statement.targets):
            return
        right = ast.unparse(pair[1])
        repeats, single = at.facts["right_repeats"], syntax.literal(keys[0]) if len(keys) == 1 else repr(keys)
        of_each = at.context.values.card(f"({right}).drop_duplicates(subset={keys!r})")
        distinct = at.context.values.card(f"({right}).drop_duplicates()")
        source = syntax.receiver(at.cell, pair[1])
        if of_each is not None and distinct is not None and of_each.rows == distinct.rows:
            title = "take rows that are wholly equal once"
            evidence = f"{at.finding.message}; all {repeats:,} are equal to another row in every column"
            edit = syntax.replace(at.cell, pair[1], f"{source}.drop_duplicates()")
            # where keys are unique on the left, the right rows may be lines of it, two of them equal
            yield Way(title, [edit], evidence, sure=bool(at.facts.get("left_repeats")))
            return
        yield from _further(at, pair, keys)
        for keep in ("first", "last"):
            dropped = f"{source}.drop_duplicates({single}{', keep=' + syntax.literal(keep) if keep == 'last' else ''})"
            edits = [syntax.replace(at.cell, pair[1], dropped)]
            if isinstance(at.node, ast.Call):
                edits.append(syntax.add_keyword(at.cell, at.node, "validate", '"many_to_one"'))
            evidence = f"{at.finding.message}; leaves {repeats:,} rows of the right table out"
            yield Way(f"the {keep} row of each key", edits, evidence, sure=False)


def _further(at: Found, pair: tuple[ast.expr, ast.expr], keys: list[str]) -> Iterator[Way]:
    """The join by one more column, under which no key repeats on the right."""
    given = syntax.keyword(at.node, "on") if isinstance(at.node, ast.Call) else None
    shared = [columns.labels_of(at.context, ast.unparse(side)) or () for side in pair]
    if given is None or not isinstance(at.node, ast.Call):
        return
    total = at.context.values.card(ast.unparse(pair[1]))
    for label in (c for c in shared[1] if isinstance(c, str) and c in shared[0] and c not in keys):
        every = [*keys, label]
        alone = at.context.values.card(f"({ast.unparse(pair[1])}).drop_duplicates(subset={every!r})")
        if total is not None and alone is not None and alone.rows == total.rows:
            listed = ", ".join(map(syntax.literal, every))
            edit = syntax.replace(at.cell, given.value, f"[{listed}]")
            evidence = f"{at.finding.message}; with `{label}` no key repeats in the right table"
            yield Way(f"join by `{label}` as well", [edit], evidence, sure=False)
