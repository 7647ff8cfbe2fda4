"""A merge leaves out rows that an assertion counts on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, labels, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 10_000


class InnerJoinLosesRows(Repair):
    """The cell asserts that a merge has as many rows as its left table, and merges without `how`.

    Adds ``how="left"`` when the result is shorter than the left table. Silent when `how` is written, when
    the assertion does not compare the two lengths, and when keys that do not meet differ in case or blanks only:
    then these are to be mended.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"order": [11, 12, 13], "total": [20.0, 35.0, 15.0]})
        couriers = pd.DataFrame({"order": [11, 13], "courier": ["bike", "van"]})
        %%reflect
        report = orders.merge(couriers, on="order")
        assert len(report) == len(orders)
        %%repaired
        report = orders.merge(couriers, on="order", how="left")
        assert len(report) == len(orders)
    """

    name = "inner-join-loses-rows"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The merge with all rows of the left table."""
        failure, cell = context.failure, context.cell
        if failure is None or not failure.is_a("AssertionError") or failure.step is None:
            return
        failed = cell.tree.body[failure.step] if failure.step < len(cell.tree.body) else None
        if not isinstance(failed, ast.Assert):
            return
        counted = {_counted(n) for n in ast.walk(failed.test)}
        for node in cell.tree.body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=result)],
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id=left), attr="merge")) as call,
                ) if {result, left} <= counted and not syntax.keyword(call, "how"):
                    pass
                case _:
                    continue
            rows = [context.values.card(n) for n in (result, left)]
            if not cell.editable(cell.span(call)) or any(r is None or r.rows is None for r in rows):
                continue
            after, before = (r.rows or 0 for r in rows if r is not None)
            if after < before and not _nearly_meet(context, call, left):
                edits = [syntax.add_keyword(cell, call, "how", '"left"')]
                evidence = f"the merge has {after} rows, `{left}` {before}, and the assertion wants as many"
                yield self.offer(f"keep all rows of `{left}`", edits, evidence)


def _nearly_meet(context: Context, call: ast.Call, left: str) -> bool:
    """Whether keys without a partner have one in another spelling; also when that cannot be known."""
    sides = [n for n in columns.merge_namings(context, call) if n.labels]
    if len(sides) != 2 or not call.args or any(len(s.labels) != 1 for s in sides):
        return len(sides) != 2
    keys = [context.values.sample(f"({s.frame})[{s.labels[0].value!r}]", DISTINCT) or () for s in sides]
    if any(len(k) >= DISTINCT for k in keys):
        return True
    alone = {str(k) for k in keys[0]} - {str(k) for k in keys[1]}
    known = {labels.plain(str(k)) for k in keys[1] if str(k) not in map(str, keys[0])}
    return any(labels.plain(a) in known for a in alone)


def _counted(node: ast.AST) -> str:
    """The variable whose rows are counted: ``len(x)``, ``x.shape[0]``."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            return name
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant(value=0)):
            return name
    return ""
