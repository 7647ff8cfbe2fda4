"""Groups whose keys differ in case or blanks only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import spelling, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 10_000


class GroupKeysSpelledApart(Repair):
    """Spellings of one key are several groups, and an assertion fails.

    The keys are brought to one spelling where they are grouped or counted, to one that the column has where there is
    such a way. Offered where the goal tells capital from small letters.

    Silent without a failed assertion, and where no two keys are alike.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"town": ["Ulm", "ulm ", "Bonn"], "n": [1, 2, 4]})
        %%reflect
        per_town = visits.groupby("town")["n"].sum()
        assert len(per_town) == 2
        %%repaired
        per_town = visits.groupby(visits["town"].str.strip().str.title())["n"].sum()
        assert len(per_town) == 2
    """

    name = "group-keys-spelled-apart"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The groups by keys in one spelling."""
        if context.failure is None or not context.failure.is_a("AssertionError"):
            return
        cell = context.cell
        for node in syntax.nodes(cell):
            place: ast.expr
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=table), attr="groupby"),
                    args=[ast.Constant(value=str()) as label],
                ):
                    column, place = f"{table}[{syntax.text(cell, label)}]", label
                case ast.Call(func=ast.Attribute(value=ast.Subscript() as key, attr="groupby" | "value_counts")):
                    column, place = syntax.text(cell, key), key
                case _:
                    continue
            texts = context.values.sample(column, DISTINCT) or ()
            members = _one_spelling([t for t in texts if isinstance(t, str)]) if len(texts) < DISTINCT else ""
            if members and cell.editable(cell.span(node)):
                yield self.offer(
                    f"group by one spelling: {members}",
                    [syntax.replace(cell, place, f"{column}.{members}")],
                    f"{len(texts)} distinct keys in `{column}`, some of which differ in case or blanks only",
                    sure=spelling.is_sure(members, context.goal),
                )


def _one_spelling(texts: list[str]) -> str:
    """The members that bring texts that are alike to one spelling, if possible to one that is there; "" for none."""
    folded = len(set(map(spelling.plain, texts)))
    ways = [(m, set(map(spell, texts))) for m, spell in spelling.WAYS] if folded < len(texts) else []
    found = [(m, made) for m, made in ways if len(made) == folded]
    return min(found, key=lambda way: len(way[1] - set(texts)), default=("", set()))[0]
