"""`pattern-read-otherwise`: a pattern is read as plain text, or plain text as a pattern."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class PatternReadOtherwise(Answer):
    """A pattern is read as plain text, or plain text as a pattern.

    Writes ``regex=True`` where the argument is a pattern that no text holds as it is written, and ``regex=False``
    where texts hold it and the pattern makes something else of them.

    Silent for methods that know patterns only.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"price": ["$1,200", "$80", "$7"]})
        %%reflect
        sales["price"] = sales["price"].str.replace("[$,]", "")
        %%repaired
        sales["price"] = sales["price"].str.replace("[$,]", "", regex=True)
    """

    name = "pattern-read-otherwise"
    kind = "text"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(attr="replace" | "contains" | "split" as method)) as call:
                pattern = bool(at.facts.get("as_text"))
                what = "a pattern" if pattern else "plain text"
                edit = syntax.add_keyword(at.cell, call, "regex", str(pattern))
                yield Way(f"`{method}` reads its argument as {what}", [edit])
