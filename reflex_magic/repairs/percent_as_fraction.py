"""`percent-as-fraction`: percents such as 19 are used as if they were 0.19, or a limit in percent for fractions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, label_of


class PercentAsFraction(Answer):
    """Percents such as 19 are used as if they were 0.19, or a limit in percent for fractions.

    A column of percents is divided by 100 where it is used; a limit that it is compared with is written in the
    column's unit. Offered where some values could be fractions.

    Example
    -------
    ::

        import pandas as pd
        items = pd.DataFrame({"net": [20.0, 100.0, 2.0], "tax_rate": [7.0, 19.0, 7.0]})
        %%reflect
        items["gross"] = items["net"] * (1 + items["tax_rate"])
        %%repaired
        items["gross"] = items["net"] * (1 + items["tax_rate"] / 100)
    """

    name = "percent-as-fraction"
    kind = "percent"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        name, looked, percents = at.facts.get("column"), at.facts.get("looked"), at.facts.get("above")
        match at.node:
            case ast.BinOp(left=left, right=right):
                rates = [n for n in (left, right) if name and label_of(n) == name]
                if len(rates) == 1:
                    edit = syntax.replace(at.cell, rates[0], f"{at.text(rates[0])} / 100")
                    yield Way(f"`{name}` as fractions", [edit], sure=looked == percents)
            case ast.Compare(comparators=[ast.Constant(value=int() | float() as limit) as written]):
                new = limit / 100 if at.facts.get("limit") == "percent" else limit * 100
                edit = syntax.replace(at.cell, written, f"{new:g}")
                yield Way(f"the limit in the unit of `{name}`: {new:g}", [edit], sure=False)
