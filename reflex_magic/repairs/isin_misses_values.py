"""`isin-misses-values`: rows are not in a list whose values are of another type or spelled otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.repairs import spelling, syntax
from reflex_magic.repairs.answer import Answer, Found, Way, through


class IsinMissesValues(Answer):
    """Rows are not in a list whose values are of another type or spelled otherwise.

    Numbers become text where the list holds text; texts are brought to the spelling of the list. A list that is
    written out of numbers is written as texts for a column of texts.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"customer": [17, 4, 21]})
        members = pd.DataFrame({"customer": ["4", "17"]})
        %%reflect
        ours = orders[orders["customer"].isin(members["customer"])]
        %%repaired
        ours = orders[orders["customer"].astype(str).isin(members["customer"])]
    """

    name = "isin-misses-values"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(value=holder), args=[listed]):
                card, theirs = at.context.values.card(ast.unparse(holder)), at.values(listed)
            case _:
                return
        if card is None or not card.is_series or not theirs:
            return
        texts = card.columns[0].dtype in ("object", "str", "string")
        if card.columns[0].dtype.startswith(("int", "uint")) and all(isinstance(v, str) for v in theirs):
            yield Way("compare as text", through(at.cell, at.node, "astype(str)"))
        elif texts and all(isinstance(v, int) and not isinstance(v, bool) for v in theirs):
            yield Way("compare as text", _as_text(at, listed))
        elif texts and all(isinstance(v, str) for v in theirs):
            yield from _spelled(at, holder, [str(v) for v in theirs])


def _as_text(at: Found, listed: ast.expr) -> list[Edit]:
    """A list of whole numbers as one of texts."""
    match listed:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            values = [(p, syntax.constant(p)) for p in parts]
            return [syntax.replace(at.cell, p, syntax.literal(str(v))) for p, v in values if isinstance(v, int)]
        case ast.Subscript() | ast.Attribute():
            return [syntax.insert_after(at.cell, listed, ".astype(str)")]
    return []


def _spelled(at: Found, holder: ast.expr, theirs: list[str]) -> Iterator[Way]:
    """The texts in the spelling of the list: under a way that keeps the list, all that are alike are in."""
    wanted = set(map(spelling.plain, theirs))
    alike = [str(v) for v in at.values(holder) if spelling.plain(str(v)) in wanted and v not in theirs]
    for members, spell in spelling.WAYS:
        # where the table was written anew, the rows that were missed are gone
        met = all(spell(v) in theirs for v in alike) if alike else "strip" in members and "lower" in members
        if met and all(spell(v) == v for v in theirs):
            sure = spelling.is_sure(members, at.context.goal)
            title = f"in the spelling of the list: {members}"
            yield Way(title, through(at.cell, at.node, members), f"{at.finding.message}; {members} meets all", sure)
            return
