"""`inverted-numbers`: ``~`` turns round the bits of flags that are numbers, or truth values among objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class InvertedNumbers(Answer):
    """``~`` turns round the bits of flags that are numbers, or truth values among objects.

    The flags become truth values first. Silent where the values are no flags; offered where some are missing.

    Example
    -------
    ::

        import pandas as pd
        users = pd.DataFrame({"active": [1, 0, 1, 0]})
        %%reflect
        idle = (~users["active"]).sum()
        %%repaired
        idle = (~users["active"].astype(bool)).sum()
    """

    name = "inverted-numbers"
    kind = "invert"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.UnaryOp(operand=operand) if at.facts.get("flags"):
                gaps = at.missing(operand)
                kind = '"boolean"' if gaps else "bool"
                source = f"{syntax.receiver(at.cell, operand)}.astype({kind})"
                yield Way("flags as truth values", [syntax.replace(at.cell, operand, source)], sure=gaps == 0)
