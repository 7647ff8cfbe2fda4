"""`concat-mixes-numbers-and-text`: a column holds numbers in one table and the same numbers as text in another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ConcatMixesNumbersAndText(Answer):
    """A column holds numbers in one table and the same numbers as text in another.

    The texts become whole numbers where each is one, without zeros in front. Otherwise the numbers becoming text is
    offered.

    Example
    -------
    ::

        import pandas as pd
        may = pd.DataFrame({"user": [7, 8], "n": [1, 1]})
        june = pd.DataFrame({"user": ["7", "9"], "n": [1, 1]})
        %%reflect
        both = pd.concat([may, june], ignore_index=True)
        users = both["user"].nunique()
        %%repaired
        both = pd.concat([may, june.astype({"user": int})], ignore_index=True)
        users = both["user"].nunique()
    """

    name = "concat-mixes-numbers-and-text"
    kind = "concat"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        labels = at.facts.get("mixed", ())
        match at.node:
            case ast.Call(args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]) if len(labels) == 1:
                label = syntax.literal(labels[0])
            case _:
                return
        held = [(p, at.values(f"({ast.unparse(p)})[{label}]")) for p in parts if isinstance(p, ast.Name)]
        texts = [p for p, values in held if values and all(isinstance(v, str) for v in values)]
        plain = all(re.fullmatch(r"-?(0|[1-9]\d*)", str(v)) for p, values in held if p in texts for v in values)
        chosen, kind = (texts, "int") if plain else ([p for p, _ in held if p not in texts], "str")
        edits = [syntax.insert_after(at.cell, p, f".astype({{{label}: {kind}}})") for p in chosen]
        if len(held) == len(parts) and texts:
            yield Way(f"`{labels[0]}` as {'numbers' if plain else 'text'} everywhere", edits, sure=plain)
