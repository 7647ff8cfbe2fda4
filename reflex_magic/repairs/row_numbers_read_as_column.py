"""`row-numbers-read-as-column`: the index that `to_csv` wrote is read as a column without a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class RowNumbersReadAsColumn(Answer):
    r"""The index that `to_csv` wrote is read as a column without a name.

    It is read as the index again: ``index_col=0``. Silent where `index_col` or `usecols` is written.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO(",shop,eur\n0,n,5\n1,n,5\n2,s,7\n")
        %%reflect
        sales = pd.read_csv(file).drop_duplicates()
        total = sales["eur"].sum()
        %%repaired
        sales = pd.read_csv(file, index_col=0).drop_duplicates()
        total = sales["eur"].sum()
    """

    name = "row-numbers-read-as-column"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if isinstance(at.node, ast.Call) and not {"index_col", "usecols"} & {k.arg for k in at.node.keywords}:
            yield Way("the first column is the index", [syntax.add_keyword(at.cell, at.node, "index_col", "0")])
