"""`whole-numbers-with-point`: `astype(str)` writes whole numbers with `.0` because values among them are missing."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs.answer import Answer, Found, Way, through


class WholeNumbersWithPoint(Answer):
    """`astype(str)` writes whole numbers with `.0` because values among them are missing.

    The numbers become whole numbers first: ``.astype("Int64").astype(str)``.

    Example
    -------
    ::

        import numpy as np
        import pandas as pd
        plots = pd.DataFrame({"area": ["n", "s", "s"], "block": [1.0, 2.0, np.nan]})
        %%reflect
        plots["key"] = plots["area"] + plots["block"].astype(str)
        %%repaired
        plots["key"] = plots["area"] + plots["block"].astype("Int64").astype(str)
    """

    name = "whole-numbers-with-point"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        yield Way("whole numbers before they become text", through(at.cell, at.node, 'astype("Int64")'))
