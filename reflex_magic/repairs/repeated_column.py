"""Two columns of one name, where one is meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 100_000


class RepeatedColumn(Repair):
    """A frame put together by ``pd.concat(..., axis=1)`` has a column twice, so that its name selects a frame.

    Leaves the second one out when both hold the same values. Silent when they differ.

    Example
    -------
    ::

        import pandas as pd
        customers = pd.DataFrame({"cust": [1, 2], "city": ["Lugo", "Vigo"]})
        addresses = pd.DataFrame({"street": ["a", "b"], "city": ["Lugo", "Vigo"]})
        %%reflect
        table = pd.concat([customers, addresses], axis=1)
        upper = table["city"].str.upper()
        %%repaired
        table = pd.concat([customers, addresses.drop(columns="city")], axis=1)
        upper = table["city"].str.upper()
    """

    name = "repeated-column"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The frame with the column once."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or "'DataFrame' object has no attribute" not in failure.evalue:
            return
        match node:
            case ast.Attribute(
                value=ast.Subscript(value=ast.Name(id=table), slice=ast.Constant(value=str(label)) as written)
            ):
                pass
            case _:
                return
        cell = context.cell
        for made in cell.tree.body:
            match made:
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Call(args=[ast.List(elts=[left, right])]) as call
                ):
                    pass
                case _:
                    continue
            axis = syntax.keyword(call, "axis")
            sideways = axis is not None and syntax.constant(axis.value) in (1, "columns")
            if name != table or not sideways or syntax.function_of(cell, call, "pandas") != "concat":
                continue
            ours, theirs = (f"({ast.unparse(side)})[{label!r}]" for side in (left, right))
            same = context.values.sample(f"(({ours}) == ({theirs})).all()", 1)
            if same == (True,) and isinstance(right, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
                edits = [syntax.insert_after(cell, right, f".drop(columns={syntax.text(cell, written)})")]
                evidence = f"both parts have `{label}`, with the same values in every row"
                yield self.offer(f"`{label}` once", edits, evidence)
