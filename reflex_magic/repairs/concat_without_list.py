"""`concat` is given tables one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_STACKING = {"pandas": ("concat",), "numpy": ("concatenate", "vstack", "hstack", "stack", "column_stack")}
_TABLES = ("DataFrame", "Series", "ndarray")


class ConcatWithoutList(Repair):
    """``pd.concat(a, b)`` needs a list; so do NumPy's `concatenate`, `vstack` and `hstack`.

    Silent when an argument is no table.

    Example
    -------
    ::

        import pandas as pd
        north, south = pd.DataFrame({"n": [1, 2]}), pd.DataFrame({"n": [3]})
        %%reflect
        both = pd.concat(north, south, ignore_index=True)
        %%repaired
        both = pd.concat([north, south], ignore_index=True)
    """

    name = "concat-without-list"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same tables in a list."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError", "ValueError") or not isinstance(node, ast.Call):
            return
        if not any(syntax.function_of(context.cell, node, m) in names for m, names in _STACKING.items()):
            return
        cards = [context.values.card(ast.unparse(a)) for a in node.args]
        if not cards or not all(c is not None and c.type in _TABLES for c in cards):
            return
        first, last = context.cell.span(node.args[0]), context.cell.span(node.args[-1])
        edits = [
            Edit(syntax.Span(first.line, first.column, first.line, first.column), "["),
            Edit(syntax.Span(last.end_line, last.end_column, last.end_line, last.end_column), "]"),
        ]
        yield self.offer("the tables in a list", edits, f"{len(cards)} tables are given one by one")
