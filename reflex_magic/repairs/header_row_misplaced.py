"""`header-row-misplaced`: the first record is read as the names of the columns, or a row of the table is a header."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.answer import Answer, Found, Way


class HeaderRowMisplaced(Answer):
    r"""The first record is read as the names of the columns, or a row of the table is a header.

    A file without a header is read with ``header=None``, and with the names that the cell gives its columns
    afterwards. A second header row, of units, is skipped. Rows that repeat the header are offered to be skipped.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("ulm,2024-01-02,3.5\nbonn,2024-01-03,0.0\nulm,2024-01-04,1.5\n")
        %%reflect
        rain = pd.read_csv(file)
        rain.columns = ["town", "day", "mm"]
        total = rain["mm"].sum()
        %%repaired
        rain = pd.read_csv(file, header=None)
        rain.columns = ["town", "day", "mm"]
        total = rain["mm"].sum()
    """

    name = "header-row-misplaced"
    kind = "read"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        header = at.facts.get("header", {})
        if not isinstance(at.node, ast.Call) or {"header", "names", "skiprows"} & {k.arg for k in at.node.keywords}:
            return
        if header.get("data"):
            named = any(
                isinstance(n, ast.Attribute) and n.attr in ("columns", "set_axis") for n in syntax.nodes(at.cell)
            )
            yield Way("the file has no header", [syntax.add_keyword(at.cell, at.node, "header", "None")], sure=named)
        elif header.get("second"):
            edit = syntax.add_keyword(at.cell, at.node, "skiprows", "[1]")
            evidence = f"{at.finding.message}, and is read as one of {at.facts['rows']:,} rows"
            yield Way("skip the second header row", [edit], evidence)
        elif header.get("repeated"):
            lines = tables.lines_of(at.context.values.text(tables.path_of(at.context, at.node)))
            again = [i for i, line in enumerate(lines) if i and line == lines[0]]
            if len(again) == header["repeated"]:
                edit = syntax.add_keyword(at.cell, at.node, "skiprows", repr(again))
                evidence = f"{at.finding.message}; {len(again)} lines are equal to the first"
                yield Way("skip the repeated headers", [edit], evidence, sure=len(lines) < 2000)
