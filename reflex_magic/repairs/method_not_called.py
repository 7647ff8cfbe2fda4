"""A method is named and not called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair

_WITHOUT_ARGUMENTS = frozenset(
    {
        *("abs", "all", "any", "copy", "count", "cummax", "cumsum", "describe", "diff", "dropna", "ffill", "bfill"),
        *("first", "head", "idxmax", "idxmin", "isna", "isnull", "last", "lower", "max", "mean", "median", "min"),
        *("mode", "ngroups", "notna", "notnull", "nunique", "prod", "reset_index", "size", "sort_index", "std"),
        *("strip", "sum", "tail", "title", "to_frame", "tolist", "unique", "upper", "value_counts", "var"),
        *("drop_duplicates", "items", "keys", "values", "split", "round", "capitalize"),
    }
)
"""Methods that are usually called with nothing."""


class MethodNotCalled(Repair):
    """``sales.sum.round(2)`` or ``total = a.sum + 1``: the brackets of a method are missing.

    Applies to methods that need no arguments. Silent where the frame has a column of that name.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["u", "v", "u"], "units": [1, 2, 3]})
        %%reflect
        best = sales.groupby("shop")["units"].sum.sort_values()
        %%repaired
        best = sales.groupby("shop")["units"].sum().sort_values()
    """

    name = "method-not-called"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The call."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError", "AttributeError"):
            return
        if not re.search(r"'(builtin_function_or_)?(method|function)'", failure.evalue):
            return
        named = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and self._is_method(context, n)]
        if named:
            edits = [syntax.insert_after(context.cell, n, "()") for n in named]
            names = ", ".join(dict.fromkeys(f"`{n.attr}`" for n in named))
            yield self.offer(f"{names} is called", edits, f"{names} is a method, and its result is used")

    def _is_method(self, context: Context, node: ast.Attribute) -> bool:
        above = syntax.parent(context.cell, node)
        if node.attr not in _WITHOUT_ARGUMENTS or (isinstance(above, ast.Call) and node is above.func):
            return False
        # an argument may be meant as a function
        if isinstance(above, (ast.keyword, ast.Call)):
            return syntax.dotted(getattr(above, "func", None) or ast.Constant(0)) in ("len", "round", "int", "float")
        # `df.size` is a number, and `groups.size` a method
        if context.values.card(ast.unparse(node)) is not None:
            return False
        holder = ast.unparse(node.value)
        return node.attr not in (columns.labels_of(context, holder) or ())
