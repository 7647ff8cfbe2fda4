"""A quotient is used where a whole number is needed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_SAID = re.compile(
    r"of type float|'float' object cannot be interpreted|slice indices must be integers|indices must be integers"
    r"|only integers, slices|must be an integer|integer argument expected"
    r"|can't multiply sequence by non-int of type 'float'"
)


class FloatForWholeNumber(Repair):
    """``df.head(len(df) / 2)``: `/` gives a float, and a count or a position has to be whole.

    Written with `//`. Offered only where the quotient is not whole, since it could be rounded up as well.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2, 3, 4]})
        %%reflect
        half = sales.head(len(sales) / 2)
        %%repaired
        half = sales.head(len(sales) // 2)
    """

    name = "float-for-whole-number"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The whole quotient."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError", "IndexError", "ValueError"):
            return
        if not _SAID.search(failure.evalue):
            return
        quotient = self._quotient(context, node)
        if quotient is None:
            return
        sign = syntax.operator(context.cell, quotient)
        value = (context.values.sample(ast.unparse(quotient), 1) or (None,))[0]
        if sign is not None and isinstance(value, float):
            whole = value.is_integer()
            evidence = f"the quotient is {value:g}"
            yield self.offer("divide with `//`", [Edit(sign, "//")], evidence, sure=whole)

    def _quotient(self, context: Context, node: ast.AST) -> ast.BinOp | None:
        """The one division in the expression, or the one a name in it was given."""
        quotients = [n for n in ast.walk(node) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
        if not quotients:
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            given = [syntax.assigned(context.cell, name) for name in names]
            quotients = [g for g in given if isinstance(g, ast.BinOp) and isinstance(g.op, ast.Div)]
        return quotients[0] if len(quotients) == 1 else None
