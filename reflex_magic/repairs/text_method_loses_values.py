"""`text-method-loses-values`: a `.str` method makes the numbers among the texts missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class TextMethodLosesValues(Answer):
    """A `.str` method makes the numbers among the texts missing.

    The column becomes text first. Offered where values were missing before, which would become text as well, and
    where a number such as 35.0 would be looked at as a text.

    Example
    -------
    ::

        import pandas as pd
        bills = pd.DataFrame({"eur": ["1,200", 35, "7,000"]})
        %%reflect
        bills["eur"] = bills["eur"].str.replace(",", "").astype(float)
        %%repaired
        bills["eur"] = bills["eur"].astype(str).str.replace(",", "").astype(float)
    """

    name = "text-method-loses-values"
    kind = "text"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=holder, attr="str") as accessor)):
                edit = syntax.insert_before_member(at.cell, accessor, "astype(str).")
                statement = syntax.statement(at.cell, at.node)
                targets = statement.targets if isinstance(statement, ast.Assign) else []
                anew = ast.unparse(holder) in map(ast.unparse, targets)
                # a column that was written anew has the values missing that the method lost
                whole = at.missing(holder) == (at.facts.get("lost") if anew else 0)
                # 35.0 would be the text "35.0", which is the same number, and another text
                number = statement is not None and re.search(r"astype\((float|int)|to_numeric", at.text(statement))
                exact = not anew and not any(isinstance(v, float) for v in at.values(holder))
                yield Way("make every value text first", [edit], sure=whole and bool(number or exact))
