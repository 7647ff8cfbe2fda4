"""`concat-repeats-labels`: tables are put under each other with their row numbers, and a row is picked by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ConcatRepeatsLabels(Answer):
    """Tables are put under each other with their row numbers, and a row is picked by one.

    The rows are numbered anew: ``ignore_index=True``.

    Example
    -------
    ::

        import pandas as pd
        may = pd.DataFrame({"eur": [1, 2]})
        june = pd.DataFrame({"eur": [3, 4]})
        %%reflect
        both = pd.concat([may, june])
        first = both.loc[0, "eur"]
        %%repaired
        both = pd.concat([may, june], ignore_index=True)
        first = both.loc[0, "eur"]
    """

    name = "concat-repeats-labels"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if isinstance(at.node, ast.Call):
            yield Way("number the rows anew", [syntax.add_keyword(at.cell, at.node, "ignore_index", "True")])
