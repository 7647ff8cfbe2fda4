"""`read-in-wrong-encoding`: a file in UTF-8 is read as one byte a character."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ReadInWrongEncoding(Answer):
    r"""A file in UTF-8 is read as one byte a character.

    It is read as UTF-8, and no character is replaced.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.BytesIO("town,eur\nKöln,5\nMünchen,7\nUlm,3\n".encode())
        %%reflect
        sales = pd.read_csv(file, encoding="latin-1")
        cologne = sales[sales["town"] == "Köln"]
        %%repaired
        sales = pd.read_csv(file, encoding="utf-8")
        cologne = sales[sales["town"] == "Köln"]
    """

    name = "read-in-wrong-encoding"
    kind = "read"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if not isinstance(at.node, ast.Call) or not at.facts.get("encoding"):
            return
        edits = [syntax.add_keyword(at.cell, at.node, "encoding", '"utf-8"')]
        replaced = syntax.drop_keyword(at.cell, at.node, "encoding_errors")
        yield Way("the file is in UTF-8", [*edits, *([replaced] if replaced else [])])
