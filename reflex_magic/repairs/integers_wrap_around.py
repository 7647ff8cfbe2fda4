"""`integers-wrap-around`: a result leaves the range of its whole-number type and starts over."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, through


class IntegersWrapAround(Answer):
    """A result leaves the range of its whole-number type and starts over.

    The operand, or the column before it is multiplied up, becomes ``int64`` first.

    Silent where the type is of 64 bits already.

    Example
    -------
    ::

        import pandas as pd
        order = pd.DataFrame({"qty": [3, 40], "cents": [400, 1990]}, dtype="int16")
        %%reflect
        order["total"] = order["qty"] * order["cents"]
        %%repaired
        order["total"] = order["qty"].astype("int64") * order["cents"]
    """

    name = "integers-wrap-around"
    kind = "integers"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if "64" in str(at.facts.get("dtype", at.facts.get("to", ""))):
            return
        wide = 'astype("int64")'
        match at.node:
            case ast.BinOp(left=left, right=right):
                cards = [(n, at.context.values.card(ast.unparse(n))) for n in (left, right)]
                series = next((n for n, card in cards if card is not None and card.is_series), None)
                if series is not None:
                    edit = syntax.replace(at.cell, series, f"{syntax.receiver(at.cell, series)}.{wide}")
                    yield Way("compute in 64 bits", [edit])
            case ast.Call(func=ast.Attribute(attr="astype"), args=[kind]):
                yield Way("convert to 64 bits", [syntax.replace(at.cell, kind, '"int64"')])
            case ast.Call():
                yield Way("compute in 64 bits", through(at.cell, at.node, wide))
