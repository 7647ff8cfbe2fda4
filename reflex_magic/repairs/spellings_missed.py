"""Values are recoded by a table that spells them otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import spelling, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 10_000


class SpellingsMissed(Repair):
    """`map` or `replace` with a table misses values that differ from its keys in case or blanks only.

    The values are brought to the spelling of the keys, by the first way under which every value is
    a key. Answers a `recoding-misses-spellings` finding.

    Offered only where the goal tells capital from small letters. Silent when some value is in the table under no
    spelling.

    Example
    -------
    ::

        import pandas as pd
        zones = pd.Series(["A", "b", "C"])
        rates = {"A": 1.0, "B": 1.5, "C": 2.0}
        %%reflect
        rate = zones.map(rates)
        %%repaired
        rate = zones.str.upper().map(rates)
    """

    name = "spellings-missed"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The values in the spelling of the table."""
        for finding, node in syntax.found(context, "recoding-misses-spellings"):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or len(node.args) != 1:
                continue
            texts = context.values.sample(ast.unparse(node.func.value), DISTINCT)
            table = ast.unparse(node.args[0])
            card = context.values.card(table)
            keys = context.values.sample(f"({table}).index" if card and card.is_series else table, DISTINCT)
            if not texts or not keys or not all(isinstance(v, str) for v in (*texts, *keys)):
                continue
            known = {str(k) for k in keys}
            if known.issuperset(texts):
                continue
            for way, spell in spelling.WAYS:
                if all(spell(str(t)) in known for t in texts):
                    edits = [syntax.insert_before_member(context.cell, node.func, f"{way}.")]
                    evidence = f"all {len(texts)} distinct values are keys of the table after {way}"
                    yield self.offer(
                        f"spell the values as the table does: {way}",
                        edits,
                        evidence,
                        sure=spelling.is_sure(way, context.goal),
                        answers=(finding.code,),
                    )
                    break
