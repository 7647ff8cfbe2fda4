"""`compared-spelling-variants`: a comparison with a text misses other spellings of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import spelling, syntax
from reflex_magic.repairs.answer import Answer, Found, Way, equality


class ComparedSpellingVariants(Answer):
    """A comparison with a text misses other spellings of it.

    The column is brought to one spelling, by the first way under which every variant is equal to the text.

    Offered only where the goal tells capital from small letters. Silent where blanks within the texts differ.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"town": ["Ulm", "ulm ", "ULM", "Bonn"], "n": [3, 1, 4, 2]})
        %%reflect
        n = visits.loc[visits["town"] == "Ulm", "n"].sum()
        %%repaired
        n = visits.loc[visits["town"].str.strip().str.title() == "Ulm", "n"].sum()
    """

    name = "compared-spelling-variants"
    kind = "compare"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match equality(at.node):
            case (holder, ast.Constant(value=str(word)) as written, _):
                pass
            case _:
                return
        alike = [str(t) for t in at.facts.get("alike", ()) if spelling.plain(str(t)) == spelling.plain(word)]
        for members, spell in sorted(spelling.WAYS, key=lambda way: way[1](word) != word):
            if set(alike) - {word} and {spell(t) for t in alike} == {spell(word)}:
                edits = [syntax.replace(at.cell, holder, f"{syntax.receiver(at.cell, holder)}.{members}")]
                if spell(word) != word:
                    edits.append(syntax.replace(at.cell, written, syntax.quoted(at.cell, written, spell(word))))
                sure = spelling.is_sure(members, at.context.goal)
                evidence = f"{at.finding.message}; {len(alike)} spellings are one after {members}"
                yield Way(f"compare in one spelling: {members}", edits, evidence, sure)
                return
