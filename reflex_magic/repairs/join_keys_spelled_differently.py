"""`join-keys-spelled-differently`: keys of a join differ only in how they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import spelling, syntax
from reflex_magic.repairs.answer import Answer, Found, Way, above, sides


class JoinKeysSpelledDifferently(Answer):
    """Keys of a join differ only in how they are written.

    The keys of both tables are brought to one spelling above the join, those of the right one only where that
    changes them, by the first way under which the most rows meet. Offered where the goal tells capital from small
    letters.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"town": ["ulm ", "Bonn", "KIEL"], "eur": [1, 2, 3]})
        towns = pd.DataFrame({"town": ["Ulm", "Bonn", "Kiel"], "land": ["BW", "NW", "SH"]})
        %%reflect
        sold = sales.merge(towns, on="town", how="left")
        %%repaired
        sales["town"] = sales["town"].str.strip().str.title()
        sold = sales.merge(towns, on="town", how="left")
    """

    name = "join-keys-spelled-differently"
    kind = "merge"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        pair = sides(at.cell, at.node)
        keys = [*at.facts.get("left_keys", ()), *at.facts.get("right_keys", ())]
        if pair is None or len(keys) != 2 or not all(keys) or not all(isinstance(s, ast.Name) for s in pair):
            return
        places = [f"{ast.unparse(side)}[{syntax.literal(key)}]" for side, key in zip(pair, keys, strict=True)]
        ours, theirs = ({v for v in at.values(place) if isinstance(v, str)} for place in places)
        alike = {v for v in ours if spelling.plain(v) in set(map(spelling.plain, theirs))}
        for members, spell in sorted(spelling.WAYS, key=lambda way: {way[1](v) for v in theirs} != theirs):
            if alike and {spell(v) for v in alike} <= {spell(v) for v in theirs}:
                changed = [
                    place
                    for place, values in zip(places, (ours, theirs), strict=True)
                    if {*map(spell, values)} != values
                ]
                lines = "\n".join(f"{place} = {place}.{members}" for place in changed)
                evidence = f"{at.finding.message}; after {members} all {len(alike)} distinct keys of that kind meet"
                sure = spelling.is_sure(members, at.context.goal)
                yield Way(f"keys in one spelling: {members}", above(at.cell, at.node, lines), evidence, sure)
                return
