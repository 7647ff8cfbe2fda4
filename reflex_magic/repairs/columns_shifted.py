"""`columns-shifted`: records end with a separator, and every value stands under the name before its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ColumnsShifted(Answer):
    r"""Records end with a separator, and every value stands under the name before its own.

    No column is taken for the index: ``index_col=False``. Silent where `index_col` is written.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("code,factor,depth\nA1,0.4,30,\nB2,0.7,45,\n")
        %%reflect
        soil = pd.read_csv(file)
        mean = soil["factor"].mean()
        %%repaired
        soil = pd.read_csv(file, index_col=False)
        mean = soil["factor"].mean()
    """

    name = "columns-shifted"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if isinstance(at.node, ast.Call) and not syntax.keyword(at.node, "index_col"):
            yield Way("no column is the index", [syntax.add_keyword(at.cell, at.node, "index_col", "False")])
