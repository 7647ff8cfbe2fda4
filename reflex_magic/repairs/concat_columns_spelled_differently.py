"""`concat-columns-spelled-differently`: a column of tables under each other is spelled in two ways and became two."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ConcatColumnsSpelledDifferently(Answer):
    """A column of tables under each other is spelled in two ways and became two.

    It is renamed in the tables where it is spelled otherwise than the cell goes on to spell it.

    Silent where the cell uses both spellings or none, and where the tables do not stand in the list by their names.

    Example
    -------
    ::

        import pandas as pd
        may = pd.DataFrame({"shop": ["a", "b"], "Amount": [5, 6]})
        june = pd.DataFrame({"shop": ["a", "b"], "amount": [7, 9]})
        %%reflect
        both = pd.concat([may, june], ignore_index=True)
        total = both["amount"].sum()
        %%repaired
        both = pd.concat([may.rename(columns={"Amount": "amount"}), june], ignore_index=True)
        total = both["amount"].sum()
    """

    name = "concat-columns-spelled-differently"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        pair = [str(c) for c in at.finding.evidence.get("columns", ())]
        used = [c for c in pair if syntax.uses(at.cell, c)]
        match at.node:
            case ast.Call(args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]) if len(used) == 1 and len(pair) == 2:
                (old,) = set(pair) - set(used)
                names = f"{{{syntax.literal(old)}: {syntax.literal(used[0])}}}"
                edits = [
                    syntax.insert_after(at.cell, part, f".rename(columns={names})")
                    for part in parts
                    if isinstance(part, ast.Name) and old in (columns.labels_of(at.context, part.id) or ())
                ]
                yield Way(f"`{old}` is `{used[0]}`", edits)
