"""`first-or-last-skipped`: a loop over all rows begins with the second or ends before the last."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class FirstOrLastSkipped(Answer):
    """A loop over all rows begins with the second or ends before the last.

    The loop goes over all.

    Example
    -------
    ::

        import pandas as pd
        rain = pd.Series([1.0, 2.0, 4.0])
        %%reflect
        total = 0.0
        for i in range(1, len(rain)):
            total += rain[i]
        %%repaired
        total = 0.0
        for i in range(len(rain)):
            total += rain[i]
    """

    name = "first-or-last-skipped"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(args=[ast.Constant(value=1), end]) as call:
                yield Way("from the first row", [syntax.replace(at.cell, call, f"range({at.text(end)})")])
            case ast.Call(args=[*_, ast.BinOp(left=whole, op=ast.Sub(), right=ast.Constant(value=1)) as end]):
                yield Way("to the last row", [syntax.replace(at.cell, end, at.text(whole))])
