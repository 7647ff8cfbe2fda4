"""`infinite-values`: infinite values, from a division by zero, are summed up or averaged."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs.answer import Answer, Found, Way, through


class InfiniteValues(Answer):
    """Infinite values, from a division by zero, are summed up or averaged.

    Offered: they are missing values where they are summed up.

    Example
    -------
    ::

        import pandas as pd
        ads = pd.DataFrame({"clicks": [3, 2], "views": [10, 0]})
        %%reflect
        ads["rate"] = ads["clicks"] / ads["views"]
        mean = ads["rate"].mean()
        %%offered
        ads["rate"] = ads["clicks"] / ads["views"]
        mean = ads["rate"].replace([float("inf"), -float("inf")], float("nan")).mean()
    """

    name = "infinite-values"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        members = 'replace([float("inf"), -float("inf")], float("nan"))'
        yield Way("infinite values as missing ones", through(at.cell, at.node, members), sure=False)
