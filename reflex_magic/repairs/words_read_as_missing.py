"""`words-read-as-missing`: a code in a file, such as NA for Namibia, is read as a missing value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.answer import Answer, Found, Way


class WordsReadAsMissing(Answer):
    r"""A code in a file, such as NA for Namibia, is read as a missing value.

    Words are kept as they are, and empty fields stay missing; so do the words that other columns use for missing
    values, which are then listed. Offered where the file cannot be looked at.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("parcels.csv").write_text("country,kg\nZA,10\nNA,4\nBW,2\nNA,6\n")
        %%reflect
        parcels = pd.read_csv("parcels.csv")
        kg = parcels.value_counts("country")
        %%repaired
        parcels = pd.read_csv("parcels.csv", keep_default_na=False, na_values=[""])
        kg = parcels.value_counts("country")
    """

    name = "words-read-as-missing"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if not isinstance(at.node, ast.Call) or not at.first or syntax.keyword(at.node, "na_filter"):
            return
        card = at.context.values.card(ast.unparse(at.node))
        gaps = [c.name for c in card.columns if c.missing and c.name not in at.columns] if card else []
        texts = tables.missing_texts(at.context, gaps, at.node)
        if len(texts) < len(gaps):
            return
        title = f"keep the words of {', '.join(f'`{c}`' for c in at.columns)}"
        words = '[""]'
        if {text for found in texts.values() for text in found} - {""}:
            every = {**{c: [""] for c in at.columns}, **texts}.items()
            entries = (f"{syntax.literal(c)}: [{', '.join(map(syntax.literal, found))}]" for c, found in every)
            words = f"{{{', '.join(entries)}}}"
        edit = syntax.add_keyword(at.cell, at.node, "keep_default_na", f"False, na_values={words}")
        yield Way(title, [edit], sure=card is not None)
