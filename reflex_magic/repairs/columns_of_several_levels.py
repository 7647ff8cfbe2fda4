"""A column of a frame whose columns have two levels is asked for by one name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class ColumnsOfSeveralLevels(Repair):
    """``agg({"amount": ["sum", "mean"]})`` makes columns of two levels, and the cell asks for `amount_sum` or `sum`.

    The pair is written: ``("amount", "sum")``. Where `sum` stands below several columns, each is offered.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["u", "v", "u"], "amount": [1.0, 2.0, 3.0]})
        %%reflect
        stats = sales.groupby("shop").agg({"amount": ["sum", "mean"]})
        best = stats["amount_sum"].idxmax()
        %%repaired
        stats = sales.groupby("shop").agg({"amount": ["sum", "mean"]})
        best = stats[("amount", "sum")].idxmax()
    """

    name = "columns-of-several-levels"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The pair of names."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("KeyError"):
            return
        for naming in columns.namings(context, node):
            if naming.holder is None or naming.frame.endswith(").index"):
                continue
            pairs = _pairs(context, naming.holder)
            found = {c: [p for p in pairs if _names(c.value, p)] for c in naming.labels}
            wrong = {c: p for c, p in found.items() if c.value not in {a for a, _ in pairs}}
            if len(wrong) != 1:
                continue
            ((label, choices),) = wrong.items()
            for first, second in choices[:3]:
                edits = [syntax.replace(context.cell, label, f"({syntax.literal(first)}, {syntax.literal(second)})")]
                title = f"`{label.value!s}` is `{second}` of `{first}`"
                evidence = f"the columns have two levels: {len(pairs)} pairs of names"
                yield self.offer(title, edits, evidence, sure=len(choices) == 1)


def _pairs(context: Context, holder: ast.expr) -> list[tuple[str, str]]:
    """The names of the columns of a frame with two levels of columns; none for any other frame."""
    match holder:
        case ast.Call(func=ast.Attribute(attr="agg" | "aggregate"), args=[ast.Dict(keys=keys, values=values)]):
            lists = [(k, v) for k, v in zip(keys, values, strict=True) if isinstance(v, ast.List)]
            if len(lists) != len(keys):
                return []
            return [(str(syntax.constant(k)), str(t.value)) for k, v in lists for t in syntax.texts(v.elts)]
    frame = ast.unparse(holder)
    if context.values.sample(f"({frame}).columns.nlevels", 2) != (2,):
        return []
    outer = context.values.sample(f"({frame}).columns.get_level_values(0)", columns.LABELS) or ()
    found = []
    for name in outer:
        inner = context.values.sample(f"({frame})[{name!r}].columns", columns.LABELS) or ()
        found += [(name, i) for i in inner if isinstance(name, str) and isinstance(i, str)]
    return found


def _names(label: object, pair: tuple[str, str]) -> bool:
    first, second = pair
    joined = {f"{first}{s}{second}" for s in "_ .-"} | {f"{second}{s}{first}" for s in "_ .-"}
    return label == second or label in joined
