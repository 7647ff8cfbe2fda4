"""`search-misses-case`: a search finds no text because of capital and small letters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import spelling, syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class SearchMissesCase(Answer):
    """A search finds no text because of capital and small letters.

    `contains`, `match` and `fullmatch` get ``case=False``; for `startswith` and `endswith` both sides are in small
    letters.

    Offered only where the goal tells capital from small letters. Silent where `case` is written.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"line": ["ERROR: disk full", "Error: no route", "ok"]})
        %%reflect
        n = log["line"].str.contains("error").sum()
        %%repaired
        n = log["line"].str.contains("error", case=False).sum()
    """

    name = "search-misses-case"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        sure = not spelling.tells_case(at.context.goal)
        match at.node:
            case ast.Call(func=ast.Attribute(attr="contains" | "match" | "fullmatch")) as call:
                if not syntax.keyword(call, "case"):
                    edit = syntax.add_keyword(at.cell, call, "case", "False")
                    yield Way("search without regard to case", [edit], sure=sure)
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="str"), attr="startswith" | "endswith") as member,
                args=[ast.Constant(value=str(word)) as written],
            ):
                edits = [
                    syntax.insert_before_member(at.cell, member, "lower().str."),
                    syntax.replace(at.cell, written, syntax.quoted(at.cell, written, word.lower())),
                ]
                yield Way("search in small letters", edits, sure=sure)
