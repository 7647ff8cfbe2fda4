"""`quote-swallows-rows`: a stray quote opens a value that ends some records further down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.answer import Answer, Found, Way


class QuoteSwallowsRows(Answer):
    r"""A stray quote opens a value that ends some records further down.

    Quotes are read as ordinary characters: ``quoting=3``. Offered where the lines of the file cannot be counted, or
    where not every line has as many fields.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("parts.csv").write_text('part,kg\n"3 bolt,1\nnut,2\nscrew 4",3\nnail,5\n')
        %%reflect
        parts = pd.read_csv("parts.csv")
        kg = parts["kg"].sum()
        %%repaired
        parts = pd.read_csv("parts.csv", quoting=3)
        kg = parts["kg"].sum()
    """

    name = "quote-swallows-rows"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if not isinstance(at.node, ast.Call) or syntax.keyword(at.node, "quoting"):
            return
        lines = [x for x in tables.lines_of(at.context.values.text(tables.path_of(at.context, at.node))) if x.strip()]
        separator = str(syntax.constant(getattr(syntax.keyword(at.node, "sep"), "value", None)) or ",")
        # a field that is in quotes as a whole would keep them
        whole = any(re.fullmatch(r'".*"', field.strip()) for line in lines for field in line.split(separator))
        even = len({line.count(separator) for line in lines}) == 1 and not whole
        evidence = f"{at.finding.message}; all {len(lines)} lines have as many fields" if even else ""
        edit = syntax.add_keyword(at.cell, at.node, "quoting", "3")
        yield Way("quotes are ordinary characters", [edit], evidence, sure=even)
