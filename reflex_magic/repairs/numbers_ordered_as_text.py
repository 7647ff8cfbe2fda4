"""`numbers-ordered-as-text`: written numbers are ordered, ranked or rounded as text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import conversion, syntax
from reflex_magic.repairs.answer import Answer, Found, Way, above, label_of


class NumbersOrderedAsText(Answer):
    """Written numbers are ordered, ranked or rounded as text.

    The column becomes numbers, where it stands or above the statement, when one way reads all of its texts.

    Example
    -------
    ::

        import pandas as pd
        cars = pd.DataFrame({"car": ["a", "b", "c"], "kw": ["90", "110", "75"]})
        %%reflect
        strongest = cars.sort_values("kw", ascending=False).iloc[0]
        %%repaired
        cars["kw"] = cars["kw"].astype(float)
        strongest = cars.sort_values("kw", ascending=False).iloc[0]
    """

    name = "numbers-ordered-as-text"
    kind = "text_order"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        label = at.facts.get("column")
        tables = [n.id for n in ast.walk(at.node) if isinstance(n, ast.Name) and n.id in at.context.values.names()]
        holder = (
            at.node.func.value if isinstance(at.node, ast.Call) and isinstance(at.node.func, ast.Attribute) else None
        )
        if holder is None or label_of(holder) != label:
            holder = None
        place = f"{tables[0]}[{syntax.literal(label)}]" if label and tables else ""
        source = ast.unparse(holder) if holder is not None else place
        known = conversion.column(at.context, [source]) if source and not at.facts.get("dates") else None
        if known is None or len(known.readings) != 1 or known.readings[0].doubts or known.readings[0].percent:
            return
        reading = known.readings[0]
        title, evidence = f"`{label}` as numbers", conversion.evidence(known, reading)
        if holder is not None:
            new = f"{conversion.cleaned(at.cell, holder, reading, mixed=known.mixed)}.astype(float)"
            yield Way(title, [syntax.replace(at.cell, holder, new)], evidence)
        else:
            line = f"{place} = {conversion.cleaned_text(place, reading, mixed=known.mixed)}.astype(float)"
            yield Way(title, above(at.cell, at.node, line), evidence)
