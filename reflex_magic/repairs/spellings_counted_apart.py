"""`spellings-counted-apart`: spellings of one value are counted as several."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import spelling
from reflex_magic.repairs.answer import Answer, Found, Way, through


class SpellingsCountedApart(Answer):
    """Spellings of one value are counted as several.

    The texts are brought to one spelling before they are counted. Offered only where the goal tells capital from
    small letters.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"town": ["Ulm", "ulm ", "Bonn", "BONN"]})
        %%reflect
        towns = visits["town"].nunique()
        %%repaired
        towns = visits["town"].str.strip().str.lower().nunique()
    """

    name = "spellings-counted-apart"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(value=holder, attr="nunique" | "unique")):
                texts = [t for t in at.values(holder) if isinstance(t, str)]
                folded = len({spelling.plain(t) for t in texts})
                members = next((w for w, spell in _WAYS if texts and len(set(map(spell, texts))) == folded), "")
                if members:
                    evidence = f"{len(texts)} distinct texts are {folded} after {members}"
                    sure = spelling.is_sure(members, at.context.goal)
                    yield Way("count one spelling of each", through(at.cell, at.node, members), evidence, sure)


_WAYS = [(way, spell) for way, spell in spelling.WAYS if way.endswith(("strip()", "lower()"))]
