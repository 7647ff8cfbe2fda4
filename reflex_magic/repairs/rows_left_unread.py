"""`rows-left-unread`: ``nrows=`` is left from trying out, and the file has more rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class RowsLeftUnread(Answer):
    r"""``nrows=`` is left from trying out, and the file has more rows.

    The file is read to its end.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("shop,eur\n" + "n,1\ns,2\n" * 50)
        %%reflect
        sales = pd.read_csv(file, nrows=20)
        by_shop = sales.groupby("shop")["eur"].sum()
        %%repaired
        sales = pd.read_csv(file)
        by_shop = sales.groupby("shop")["eur"].sum()
    """

    name = "rows-left-unread"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        edit = syntax.drop_keyword(at.cell, at.node, "nrows") if isinstance(at.node, ast.Call) else None
        if edit is not None:
            yield Way("read all rows", [edit])
